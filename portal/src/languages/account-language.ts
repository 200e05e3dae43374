/** The language that the signed-in person has chosen for their account: shown wherever they sign in. */
import { SetLanguageDocument } from '../generated/graphql.ts';
import type { Session } from '../session/session.ts';
import { chooseFromNowOn } from './catalogue.ts';

/** Shows a person's language when they are signed in: it wins over the one that this browser remembers. */
export const followAccountLanguage = (session: Session): void => {
  let known: string | undefined;
  const follow = () => {
    const state = session.state();
    const person = state.status === 'signedIn' ? state.user : undefined;
    if (person?.id === known) return;
    known = person?.id;
    // Without a connection the page stays in its language.
    if (person?.language) chooseFromNowOn(person.language).catch(() => undefined);
  };
  session.subscribe(follow);
  follow();
};

/** Saves a choice to the account, where a person is signed in. @throws Refusal */
export const saveToAccount = async ({ state, send }: Session, language: string): Promise<void> => {
  if (state().status === 'signedIn') await send(SetLanguageDocument, { language });
};
