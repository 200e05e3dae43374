/** GraphQL operations on the visitor and their consent. None requires or creates a signed-in session. */
import { findVisitor, recordConsent, type Visitor as VisitorInfo } from '../../domain/visitors/visitor-consent.ts';
import { newHelperSession, readHelperSession, setHelperSession } from '../../http-kit/helper-session.ts';
import { requirePageOfPortal } from '../../http-kit/origins.ts';
import { consumeNetworkPermits, type NetworkLimits } from '../../http-kit/rate-limit-headers.ts';
import { rateLimits } from '../../platform/rate-limit/rate-limit-table.ts';
import { builder } from '../builder.ts';
import { guarded, operations } from '../operations.ts';

const Visitor = builder.objectRef<VisitorInfo>('Visitor').implement({
  fields: (t) => ({
    analyticsConsent: t.exposeBoolean('analyticsConsent', {
      nullable: true,
      description: 'Null until the visitor decides.',
    }),
    anonymousId: t.exposeID('anonymousId', { nullable: true, description: 'Null unless the visitor consented.' }),
  }),
});

builder.queryField('visitor', (t) =>
  t.field({
    type: Visitor,
    description: 'Helper state of this browser (consent, anonymous id). Never an identity.',
    resolve: guarded(operations.visitor, ({ services, request }) =>
      findVisitor(services, readHelperSession(request, services.settings, services.keyring)),
    ),
  }),
);

const limitsOfSessions: NetworkLimits = { network: rateLimits.visitorSession, site: rateLimits.visitorSessionOfSite };
const limitsOfDecisions: NetworkLimits = {
  network: rateLimits.visitorDecision,
  site: rateLimits.visitorDecisionOfSite,
};

builder.mutationField('recordConsent', (t) =>
  t.field({
    type: Visitor,
    description:
      "Records the visitor's GDPR decision in the helper session; an anonymous id exists only after consent.",
    args: { analytics: t.arg.boolean({ required: true }) },
    resolve: guarded(operations.recordConsent, async (context, { analytics }) => {
      const { services, request, reply } = context;
      // The mutation sets a cookie, which only pages of the portal may cause.
      requirePageOfPortal(request, services.settings);
      const known = readHelperSession(request, services.settings, services.keyring);
      const sessionId = known ?? newHelperSession();
      await consumeNetworkPermits(context, known === null ? limitsOfSessions : limitsOfDecisions);
      const visitor = await recordConsent(services, { analytics, sessionId });
      setHelperSession(reply, services.settings, services.keyring, sessionId);
      return visitor;
    }),
  }),
);
