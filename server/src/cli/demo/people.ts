/** The people whom the demo provider offers, each for something worth trying, and whoever is typed there. */
import { sha256 } from '../../kernel/secrets.ts';

export interface DemoAccount {
  /** Empty: the provider tells no name. */
  readonly name: string;
  /** Empty: the provider tells no address. */
  readonly email: string;
  readonly isVerified: boolean;
}

export interface OfferedPerson extends DemoAccount {
  /** What happens, for whoever has the demo data. */
  readonly note: string;
}

export const offeredPeople: readonly OfferedPerson[] = [
  {
    name: 'Nina Castell',
    email: 'nina@elsewhere.example',
    isVerified: true,
    note: 'New here: gets an account and an organization.',
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
    note: 'Was invited to Acme Instruments and never came.',
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
    note: 'New here, with a long name.',
  },
];

/** One address is one person, as at any provider of mail; who has none goes by name. The same at every start. */
export const subjectOf = ({ email, name }: DemoAccount): string =>
  sha256(email === '' ? `name ${name}` : `address ${email.toLowerCase()}`)
    .toString('hex')
    .slice(0, 24);

/** What the provider says about somebody (OpenID Connect Core, section 5.1). */
export const claimsOf = (account: DemoAccount) => ({
  sub: subjectOf(account),
  ...(account.name === '' ? {} : { name: account.name }),
  ...(account.email === '' ? {} : { email: account.email, email_verified: account.isVerified }),
});
