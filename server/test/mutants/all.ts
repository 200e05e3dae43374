/** Every mutant, by area in the order of `areas`. The numbers of `npm run test:mutants` count from 1 in this order. */
import { account } from './account.ts';
import { audit } from './audit.ts';
import { authority } from './authority.ts';
import { cookie } from './cookie.ts';
import { document } from './document.ts';
import { limit } from './limit.ts';
import { machine } from './machine.ts';
import { mail } from './mail.ts';
import { areas, type Mutant } from './mutant.ts';
import { organizationMcp as organization } from './organization-mcp.ts';
import { origin } from './origin.ts';
import { paging } from './paging.ts';
import { payment } from './payment.ts';
import { race } from './race.ts';
import { revocation } from './revocation.ts';

const byArea = {
  authority,
  revocation,
  race,
  origin,
  cookie,
  limit,
  mail,
  audit,
  paging,
  account,
  machine,
  document,
  organization,
  payment,
} as const;

export const mutants: readonly Mutant[] = areas.flatMap((area) => byArea[area].map((fault) => ({ ...fault, area })));
