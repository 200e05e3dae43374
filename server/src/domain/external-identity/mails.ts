/**
 * The mails about ways to sign in. Their reader may have had no hand in it, so they say what can be done from now on,
 * and what to do against it. There is no way to set a new password, so none of them speaks of one.
 */
import { instantInWords, type MailContent } from '../../platform/mail/message.ts';

/** How an identity came to an account that was there already. */
export type Linking =
  /** Somebody signed in with it, and it has the account's address. */
  | 'by_address'
  /** The same, and the account's password had been set by somebody who never proved the address. */
  | 'by_address_instead_of_password'
  /** Somebody who was signed in to the account added it. */
  | 'by_session';

export interface IdentityLetter {
  readonly to: string;
  readonly name: string;
  /** As people know the provider. */
  readonly provider: string;
  /** The provider's address for the person; null without one. */
  readonly email: string | null;
  readonly at: Date;
}

export const linkedMail = (
  frontendUrl: string,
  letter: IdentityLetter & { readonly isPasswordInQuestion: boolean },
  linking: Linking,
): MailContent => ({
  to: letter.to,
  subject: `You can now sign in with ${letter.provider}`,
  greeting: `Hello ${letter.name},`,
  paragraphs: [
    `On ${instantInWords(letter.at)}, ${accountInWords(letter)} was connected to your account ${causes[linking]}. Whoever can use it can sign in to your account from now on.`,
    ...(linking === 'by_address_instead_of_password' ? [passwordIsGone] : []),
    ...(letter.isPasswordInQuestion ? [passwordInQuestion(letter.provider)] : []),
  ],
  action: { label: 'See your ways to sign in', url: `${frontendUrl}/` },
  remark: linkedRemarks[linking](letter.provider),
});

const causes: Readonly<Record<Linking, string>> = {
  by_address: 'because somebody signed in with it, and its address is yours',
  by_address_instead_of_password: 'because somebody signed in with it, and its address is yours',
  by_session: 'by somebody who was signed in to it',
};

const passwordIsGone =
  'Before that, nobody had confirmed that this address is theirs, so the password of the account was removed, and whoever had signed in with it is signed out.';

const passwordInQuestion = (provider: string): string =>
  `The account also has a password. If you did not set it, sign in with ${provider}: you are asked once whether to remove it, which signs out every other device.`;

const disconnect = (provider: string): string =>
  `If it was not you, sign in with your password, disconnect ${provider} under “Ways to sign in”, and sign out everywhere under “Your devices”.`;

const linkedRemarks: Readonly<Record<Linking, (provider: string) => string>> = {
  by_address: (provider) =>
    `${disconnect(provider)} Somebody else can then use ${provider} with your address: secure that account too.`,
  by_address_instead_of_password: (provider) =>
    `If it was not you, somebody else can use ${provider} with your address: secure that account, and tell whoever runs this service.`,
  by_session: disconnect,
};

export const unlinkedMail = (frontendUrl: string, letter: IdentityLetter): MailContent => ({
  to: letter.to,
  subject: `You can no longer sign in with ${letter.provider}`,
  greeting: `Hello ${letter.name},`,
  paragraphs: [
    `On ${instantInWords(letter.at)}, ${accountInWords(letter)} was disconnected from your account by somebody who was signed in to it. You sign in with your password from now on.`,
    `Where you are signed in, you stay so. If you sign in with ${letter.provider} and this address again, it may be connected again.`,
  ],
  action: { label: 'See your ways to sign in', url: `${frontendUrl}/` },
  remark: 'If it was not you, sign in with your password, and sign out everywhere under “Your devices”.',
});

export const passwordRemovedMail = (
  frontendUrl: string,
  letter: Pick<IdentityLetter, 'to' | 'name' | 'provider' | 'at'>,
): MailContent => ({
  to: letter.to,
  subject: 'The password of your account was removed',
  greeting: `Hello ${letter.name},`,
  paragraphs: [
    `On ${instantInWords(letter.at)}, the password of your account was removed from a session that began with ${letter.provider}. Every other device and client was signed out. You sign in with ${letter.provider} from now on.`,
  ],
  action: { label: 'See your ways to sign in', url: `${frontendUrl}/` },
  remark: `If it was not you, another person can use ${letter.provider} with your address: secure that account, and write to the people who run this service.`,
});

const accountInWords = ({ provider, email }: IdentityLetter): string =>
  email === null ? `an account at ${provider}` : `the account ${email} at ${provider}`;
