/** A filter in the address that nothing can be looked for by: which one and why, in the place of the list. */
import { getRouteApi } from '@tanstack/react-router';
import { useTranslations } from 'use-intl';
import { Button } from '../../components/button.tsx';
import { Notice } from '../../components/notice.tsx';
import type { WrongFilter } from './governance-filter.ts';

const route = getRouteApi('/signed-in/admin/super/sessions');

interface ClearFiltersProps {
  /** The button that had the focus goes with what it cleared. */
  readonly onCleared: () => void;
}

export const ClearFilters = ({ onCleared }: ClearFiltersProps) => {
  const t = useTranslations('governance');
  const navigate = route.useNavigate();
  const clear = () => {
    void navigate({ search: {}, replace: true });
    onCleared();
  };
  return (
    <Button look="quiet" onClick={clear}>
      {t('clear')}
    </Button>
  );
};

interface WrongFiltersProps extends ClearFiltersProps {
  readonly wrong: readonly WrongFilter[];
}

export const WrongFilters = ({ wrong, onCleared }: WrongFiltersProps) => {
  const t = useTranslations('governance.wrong');
  return (
    <div className="space-y-3 p-3">
      <Notice tone="problem" title={t('title')}>
        {wrong.map(({ name, reason }) => (
          <p key={name}>
            {t(name)}: {reason ?? t(name === 'audience' ? 'notAnAudience' : 'notAnId')}
          </p>
        ))}
      </Notice>
      <ClearFilters onCleared={onCleared} />
    </div>
  );
};
