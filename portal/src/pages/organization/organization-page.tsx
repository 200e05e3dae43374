/** A page about the active organization, for those who hold a scope there. */
import { Fragment, type ReactNode } from 'react';
import { NoOrganization } from '../../components/no-organization.tsx';
import { Notice } from '../../components/notice.tsx';
import { PageHeading } from '../../components/page.tsx';
import { usePerson } from '../../session/session-context.tsx';
import type { Membership } from '../members/members.ts';

interface OrganizationPageProps {
  readonly scope: string;
  readonly title: (organization: string) => string;
  readonly lead: string;
  /** The words for those without the scope. */
  readonly notAllowed: string;
  readonly children: (membership: Membership) => ReactNode;
}

export const OrganizationPage = ({ scope, title, lead, notAllowed, children }: OrganizationPageProps) => {
  const { currentMembership: membership } = usePerson();
  if (membership === null) return <NoOrganization />;
  const { id, organization, scopes, needsSecondFactor } = membership;
  return (
    <Fragment key={id}>
      <div className="space-y-2">
        <PageHeading title={title(organization.name)} />
        <p className="leading-relaxed text-soft">{lead}</p>
      </div>
      {scopes.includes(scope)
        ? children(membership)
        : // The layout says what is missing where it is the second factor.
          !needsSecondFactor && (
            <Notice tone="info">
              <p>{notAllowed}</p>
            </Notice>
          )}
    </Fragment>
  );
};
