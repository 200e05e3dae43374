/** The reasons why the person lacks a scope in the active organization, as the service explains them. */
import { useQuery } from '@tanstack/react-query';
import { ExplainMissingScopeDocument } from '../generated/graphql.ts';
import { useSession } from '../session/session-context.tsx';
import { Reasons } from './reasons.tsx';

interface MissingScopeProps {
  readonly scope: string;
  /** The words before the reasons. */
  readonly why: string;
}

/** The reasons why the person lacks a scope; nothing until they are known. */
export const MissingScope = ({ scope, why }: MissingScopeProps) => {
  const session = useSession();
  const { data: reasons = [] } = useQuery({
    queryKey: ['scope', scope],
    queryFn: async () => (await session.request(ExplainMissingScopeDocument, { scope })).explainScope.reasons,
  });
  if (reasons.length === 0) return null;
  return (
    <div className="space-y-1 text-soft">
      <p>{why}</p>
      <Reasons reasons={reasons} />
    </div>
  );
};
