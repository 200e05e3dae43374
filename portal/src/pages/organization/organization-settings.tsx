/**
 * The part of the members page about the organization itself: its name, and the ways to its security, its tokens, its
 * connected clients, its audit log and its deletion.
 */
import { Link } from '@tanstack/react-router';
import { Suspense, useState } from 'react';
import { useTranslations } from 'use-intl';
import { useHasOrganizationMcp } from '../../clients/has-organization-mcp.ts';
import { Button } from '../../components/button.tsx';
import { lazyComponent } from '../../components/lazy-component.tsx';
import { Section, SectionLoading } from '../../components/section.tsx';
import { useHasDraft } from '../../session/drafts.ts';
import { useHasMachineTokens } from '../../tokens/has-machine-tokens.ts';
import type { Membership } from '../members/members.ts';

export const OrganizationSettings = ({ membership }: { readonly membership: Membership }) => {
  const mayUpdate = membership.scopes.includes('ORGANIZATION_UPDATE');
  const mayManageTokens = useHasMachineTokens() && membership.scopes.includes('TOKENS_MANAGE');
  const mayManageClients = useHasOrganizationMcp() && membership.scopes.includes('MCP_MANAGE');
  const isOwner = membership.role === 'OWNER';
  const mayAudit = membership.scopes.includes('AUDIT_VIEW');
  if (!mayUpdate && !mayManageTokens && !mayManageClients && !mayAudit && !isOwner) return null;
  return (
    <>
      {mayUpdate && <RenameOrganization organization={membership.organization} />}
      <div className="flex flex-wrap gap-x-6">
        {mayUpdate && <SecurityLink />}
        {mayManageTokens && <TokensLink />}
        {mayManageClients && <ClientsLink />}
        {mayAudit && <AuditLink />}
        {isOwner && <DeletionLink />}
      </div>
    </>
  );
};

const RenameForm = lazyComponent(async () => (await import('./rename-form.tsx')).RenameForm);

const RenameOrganization = ({ organization }: Pick<Membership, 'organization'>) => {
  const t = useTranslations('renameOrganization');
  const [isOpen, setOpen] = useState(useHasDraft('rename organization'));
  return (
    <Section title={t('title')} lead={t('lead')}>
      {isOpen ? (
        <Suspense fallback={<SectionLoading />}>
          <RenameForm organization={organization} onClose={() => setOpen(false)} />
        </Suspense>
      ) : (
        <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-3 px-5 py-4 sm:px-6">
          <p className="min-w-0 font-medium wrap-anywhere">
            <bdi>{organization.name}</bdi>
          </p>
          <Button variant="secondary" onClick={() => setOpen(true)}>
            {t('open')}
          </Button>
        </div>
      )}
    </Section>
  );
};

const linkClass = 'inline-flex min-h-11 items-center font-medium';

const SecurityLink = () => {
  const t = useTranslations('members');
  return (
    <Link to="/organization/security" className={`${linkClass} text-accent`}>
      {t('security')}
    </Link>
  );
};

const TokensLink = () => {
  const t = useTranslations('members');
  return (
    <Link to="/organization/tokens" className={`${linkClass} text-accent`}>
      {t('tokens')}
    </Link>
  );
};

const ClientsLink = () => {
  const t = useTranslations('members');
  return (
    <Link to="/organization/clients" className={`${linkClass} text-accent`}>
      {t('clients')}
    </Link>
  );
};

const AuditLink = () => {
  const t = useTranslations('members');
  return (
    <Link to="/organization/audit" className={`${linkClass} text-accent`}>
      {t('audit')}
    </Link>
  );
};

const DeletionLink = () => {
  const t = useTranslations('deletedOrganizations');
  return (
    <Link to="/organization/delete" className={`${linkClass} text-danger`}>
      {t('open')}
    </Link>
  );
};
