/** The reasons why the person lacks a scope, as a list. */

export const Reasons = ({ reasons }: { readonly reasons: readonly string[] }) => (
  <ul className="list-disc space-y-1 ps-5">
    {reasons.map((reason) => (
      <li key={reason}>{reason}</li>
    ))}
  </ul>
);
