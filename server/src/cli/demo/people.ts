/** Accounts that the demo provider offers, each for a case worth trying, and the subjects and claims of any account. */
import { sha256 } from '../../kernel/secrets.ts';

export interface DemoAccount {
  /** Empty: no name claim. */
  readonly name: string;
  /** Empty: no email claim. */
  readonly email: string;
  readonly isVerified: boolean;
}

export interface OfferedPerson extends DemoAccount {
  /** The effect of a sign-in, given the demo data. */
  readonly note: string;
}

export const offeredPeople: readonly OfferedPerson[] = [
  {
    name: 'Nina Castell',
    email: 'nina@elsewhere.example',
    isVerified: true,
    note: 'Has no account: gets one, with an organization.',
  },
  {
    name: 'Ada Marlow',
    email: 'ada@acme.example',
    isVerified: true,
    note: 'Has an account with a password: it is linked.',
  },
  {
    name: 'Noor Haddad',
    email: 'noor@acme.example',
    isVerified: true,
    note: 'Was invited to Acme Instruments and has not joined.',
  },
  {
    name: 'Grace Okafor',
    email: 'grace@acme.example',
    isVerified: false,
    note: 'Refused: the address is not verified.',
  },
  { name: 'Sam Overby', email: '', isVerified: false, note: 'Refused: an account needs an address.' },
  {
    name: 'María de los Ángeles Wilhelmina Oluwaseun Bartholomäus-Featherstonehaugh van der Westhuizen y Montgomery-Ashcombe the Younger of Llanfairpwllgwyngyllgogerychwyrndrobwllllantysiliogogogoch',
    email: 'maria@elsewhere.example',
    isVerified: true,
    note: 'Has no account, and a long name.',
  },
];

/** The same at every start: derived from the address, as at a mail provider, or from the name when there is none. */
export const subjectOf = ({ email, name }: DemoAccount): string =>
  sha256(email === '' ? `name ${name}` : `address ${email.toLowerCase()}`)
    .toString('hex')
    .slice(0, 24);

/** The claims about an account (OpenID Connect Core, section 5.1). */
export const claimsOf = (account: DemoAccount) => ({
  sub: subjectOf(account),
  ...(account.name === '' ? {} : { name: account.name }),
  ...(account.email === '' ? {} : { email: account.email, email_verified: account.isVerified }),
});
