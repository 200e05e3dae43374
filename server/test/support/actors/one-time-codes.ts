/** One-time codes of people: added by the operations, and computed for time steps of the database's clock. */
import { Secret, TOTP } from 'otpauth';
import { type Answer, operations, post, type Tokens } from '../clients/clients.ts';
import type { Service } from '../gatehouse/gatehouse.ts';
import { runAs } from './tenants.ts';

export const periodSeconds = 30;

/** The code of a time step. */
export const codeOfStep = (secret: string, step: number): string =>
  TOTP.generate({ secret: Secret.fromBase32(secret), algorithm: 'SHA1', timestamp: step * periodSeconds * 1000 });

/**
 * The current time step, by the database's clock. It may be over when a code of it arrives, which is accepted still.
 */
export const currentStep = async ({ sql }: Pick<Service, 'sql'>): Promise<number> =>
  Number(await sql.value<string>(`SELECT floor(extract(epoch FROM clock_timestamp()) / ${periodSeconds})::text AS v`));

export const currentCode = async (service: Pick<Service, 'sql'>, secret: string): Promise<string> =>
  codeOfStep(secret, await currentStep(service));

/** A code of a step that no accepted one lies behind: forgets the steps that were used. */
export const freshCode = async (service: Pick<Service, 'sql'>, secret: string): Promise<string> => {
  await service.sql('UPDATE totp_secrets SET last_step = 0');
  return currentCode(service, secret);
};

/** A code of no step near now. */
export const wrongCode = async (service: Pick<Service, 'sql'>, secret: string): Promise<string> => {
  const step = await currentStep(service);
  const near = new Set([-2, -1, 0, 1, 2, 3].map((distance) => codeOfStep(secret, step + distance)));
  return ['000000', '111111', '222222', '333333', '444444', '555555', '666666'].find((code) => !near.has(code)) ?? '';
};

export interface OneTimeCodes {
  readonly secret: string;
  readonly recoveryCodes: readonly string[];
}

export const secretIn = ({ text }: Answer): string =>
  (JSON.parse(text) as { data: { beginTotp: { secret: string } } }).data.beginTotp.secret;

/** The recovery codes in an answer of confirmTotp or regenerateRecoveryCodes. */
export const recoveryCodesIn = ({ text }: Answer): readonly string[] => {
  const { data } = JSON.parse(text) as { data: Record<string, { codes: readonly string[] }> };
  return Object.values(data)[0]?.codes ?? [];
};

/** Adds one-time codes to an account by a session of it. The step of the code is used then. */
export const addOneTimeCodes = async (service: Service, tokens: Tokens): Promise<OneTimeCodes> => {
  const secret = secretIn(await runAs(service, { tokens }, operations.beginTotp));
  const code = await currentCode(service, secret);
  const confirmed = await runAs(service, { tokens }, operations.confirmTotp, { code });
  return { secret, recoveryCodes: recoveryCodesIn(confirmed) };
};

/** The challenge in the refusal of a sign-in. Throws when there is none. */
export const challengeIn = ({ extensions, text }: Answer): string => {
  const challenge = extensions['challenge'];
  if (typeof challenge !== 'string') throw new Error(`No challenge in ${text}`);
  return challenge;
};

export const complete = (service: Pick<Service, 'url'>, challenge: string, code: string): Promise<Answer> =>
  post(service.url, operations.completeSecondFactor, { input: { challenge, code } });
