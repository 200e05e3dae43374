/** The name of a scope for people: its words, with the name itself as the title; or the name alone. */
interface ScopeNameProps {
  readonly scope: string;
  /** Undefined where they are not known. */
  readonly words: string | undefined;
}

export const ScopeName = ({ scope, words }: ScopeNameProps) =>
  words === undefined ? (
    <code className="font-mono text-[0.9em] wrap-anywhere">{scope}</code>
  ) : (
    <span title={scope} className="min-w-0 wrap-anywhere">
      {words}
    </span>
  );
