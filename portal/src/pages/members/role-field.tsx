/** The choice of a role for people who are invited, each with what it may do. */
import { useTranslations } from 'use-intl';
import { useRoleDescription } from '../../access/role-description.ts';
import type { ApplicationFacts } from '../../access/roles.ts';
import { useRoleTitle } from '../../components/application.tsx';
import { RadioChoice } from '../../forms/radio-choice.tsx';
import type { Role } from '../../generated/graphql.ts';

interface RoleFieldProps {
  readonly roles: readonly Role[];
  readonly application: ApplicationFacts;
  readonly chosen: Role;
  readonly onChoose: (role: Role) => void;
}

export const RoleField = ({ roles, application, chosen, onChoose }: RoleFieldProps) => {
  const t = useTranslations('invite');
  const titleOf = useRoleTitle();
  const describe = useRoleDescription(application);
  return (
    <RadioChoice
      legend={t('role')}
      choices={roles.map((role) => ({ value: role, title: titleOf(role), text: describe(role) }))}
      chosen={chosen}
      onChoose={onChoose}
    />
  );
};
