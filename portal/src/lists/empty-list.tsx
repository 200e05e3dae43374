/** What is shown in place of the rows of a list without any. */
import { useTranslations } from 'use-intl';
import { Button } from '../components/button.tsx';

interface EmptyListProps {
  readonly text: string;
  /** Of the button that clears the filters. */
  readonly label?: string | undefined;
  readonly onClear?: (() => void) | undefined;
}

export const EmptyList = ({ text, label, onClear }: EmptyListProps) => {
  const t = useTranslations('lists');
  return (
    <div className="space-y-3 px-5 py-8 text-center sm:px-6">
      <p className="leading-relaxed wrap-anywhere text-soft">{text}</p>
      {onClear !== undefined && (
        <Button variant="secondary" onClick={onClear}>
          {label ?? t('clear')}
        </Button>
      )}
    </div>
  );
};
