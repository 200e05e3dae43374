/** Messages of a refusal because a change of the person's address can still be undone. */

export const pendingUndo = {
  title: 'Not possible yet',
  text: 'The e-mail address of your account was changed, and the former one can undo that until {until}. Until then, what the account had before stays as it is. Nothing has changed.',
} as const;
