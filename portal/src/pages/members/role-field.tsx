/** The choice of a role for people who are invited, each with what it may do. */
import { useTranslations } from 'use-intl';
import { useRoleDescription } from '../../access/role-description.ts';
import type { ApplicationInfo } from '../../access/roles.ts';
import { useRoleTitle } from '../../components/application.tsx';
import { RadioField } from '../../forms/radio-field.tsx';
import type { Role } from '../../generated/graphql.ts';

interface RoleFieldProps {
  readonly roles: readonly Role[];
  readonly application: ApplicationInfo;
  readonly chosen: Role;
  readonly onChoose: (role: Role) => void;
}

export const RoleField = ({ roles, application, chosen, onChoose }: RoleFieldProps) => {
  const t = useTranslations('invite');
  const titleOf = useRoleTitle();
  const describe = useRoleDescription(application);
  return (
    <RadioField
      legend={t('role')}
      choices={roles.map((role) => ({ value: role, title: titleOf(role), text: describe(role) }))}
      chosen={chosen}
      onChoose={onChoose}
    />
  );
};
