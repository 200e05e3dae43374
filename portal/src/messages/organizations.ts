/** Words about organizations as such: creating, switching and renaming them. */

export const newOrganization = {
  title: 'Create an organization',
} as const;
