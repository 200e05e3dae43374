/** A choice of one of several, each with its title and, where that does not say it, what it means. */
import { useId } from 'react';

interface RadioFieldProps<Value extends string | number> {
  readonly legend: string;
  readonly choices: readonly { readonly value: Value; readonly title: string; readonly text?: string }[];
  readonly chosen: Value;
  readonly onChoose: (chosen: Value) => void;
}

export const RadioField = <Value extends string | number>({
  legend,
  choices,
  chosen,
  onChoose,
}: RadioFieldProps<Value>) => {
  const name = useId();
  return (
    <fieldset className="space-y-1.5">
      <legend className="text-[0.9375rem] font-medium">{legend}</legend>
      <div className="divide-y divide-line rounded-control border border-edge">
        {choices.map(({ value, title, text }) => (
          <label key={value} className="flex items-start gap-3 px-3.5 py-3">
            <input
              type="radio"
              name={name}
              value={value}
              checked={value === chosen}
              className="mt-1 size-4 shrink-0 accent-accent"
              onChange={() => onChoose(value)}
            />
            <span className="min-w-0">
              <span className={`block wrap-anywhere ${text === undefined ? '' : 'font-medium'}`}>{title}</span>
              {text !== undefined && <span className="block text-sm text-soft">{text}</span>}
            </span>
          </label>
        ))}
      </div>
    </fieldset>
  );
};
