/** The pages of people and organizations, one chunk: who opens one opens the next. */
import { OrganizationPage } from './organizations/organization-page.tsx';
import { OrganizationsPage } from './organizations/organizations-page.tsx';
import { PeoplePage } from './people/people-page.tsx';
import { PersonPage } from './people/person-page.tsx';

export const directoryPages = { PeoplePage, PersonPage, OrganizationsPage, OrganizationPage };
