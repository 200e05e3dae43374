/** The choice of a role for people who are invited, each with what it may do. */
import { useTranslations } from 'use-intl';
import { useRoleTitle } from '../../components/application.tsx';
import type { Role } from '../../generated/graphql.ts';
import { useRoleDescription } from './role-description.ts';
import type { ApplicationFacts } from './roles.ts';

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
    <fieldset className="space-y-1.5">
      <legend className="text-[0.9375rem] font-medium">{t('role')}</legend>
      <div className="divide-y divide-line rounded-control border border-edge">
        {roles.map((role) => (
          <label key={role} className="flex items-start gap-3 px-3.5 py-3">
            <input
              type="radio"
              name="role"
              value={role}
              checked={role === chosen}
              className="mt-1 size-4 shrink-0 accent-accent"
              onChange={() => onChoose(role)}
            />
            <span className="min-w-0">
              <span className="block font-medium wrap-anywhere">{titleOf(role)}</span>
              <span className="block text-sm text-soft">{describe(role)}</span>
            </span>
          </label>
        ))}
      </div>
    </fieldset>
  );
};
