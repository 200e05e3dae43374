/** Words of /members: the list, invitations, and what may be done to each row. */

export const members = {
  title: 'Members',
} as const;
