/** The foot of a form that was opened in a section: what sends it, and the way out. */
import { useTranslations } from 'use-intl';
import { Button } from '../components/button.tsx';

interface FormButtonsProps {
  readonly submit: string;
  readonly busy: boolean;
  readonly onClose: () => void;
}

export const FormButtons = ({ submit, busy, onClose }: FormButtonsProps) => {
  const t = useTranslations('common');
  return (
    <div className="flex flex-wrap gap-3">
      <Button type="submit" busy={busy}>
        {submit}
      </Button>
      <Button look="quiet" onClick={onClose}>
        {t('close')}
      </Button>
    </div>
  );
};
