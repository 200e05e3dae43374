/** GraphQL types and queries of the application (contract/application.md#public-description). */
import type {
  Application as ApplicationInfo,
  Product as ProductFacts,
  ApplicationRole as RoleFacts,
  ApplicationScope as ScopeFacts,
} from '../../domain/scopes/application.ts';
import { logoPath } from '../../domain/scopes/application.ts';
import { builder } from '../builder.ts';
import { guarded, operations } from '../operations.ts';
import { Role } from './user.ts';

const Product = builder.objectRef<ProductFacts>('Product').implement({
  description: 'A product that an organization can subscribe to, and the scopes that it grants.',
  fields: (t) => ({
    name: t.exposeString('name'),
    title: t.exposeString('title'),
    members: t.exposeInt('members', { nullable: true, description: 'Seats; null is no limit.' }),
    scopes: t.stringList({ resolve: ({ scopes }) => [...scopes] }),
  }),
});

const ApplicationScope = builder.objectRef<ScopeFacts>('ApplicationScope').implement({
  fields: (t) => ({
    name: t.exposeString('name'),
    words: t.exposeString('words', { description: 'What a person may do with it.' }),
    isBuiltIn: t.exposeBoolean('isBuiltIn'),
  }),
});

const ApplicationRole = builder.objectRef<RoleFacts>('ApplicationRole').implement({
  fields: (t) => ({
    name: t.expose('name', { type: Role }),
    title: t.exposeString('title'),
    scopes: t.stringList({
      description: 'Every scope that the definition gives it, built-in ones included.',
      resolve: ({ scopes }) => [...scopes],
    }),
  }),
});

const Brand = builder.objectRef<ApplicationInfo['brand']>('Brand').implement({
  description: 'How the application looks. A field that is not given is null.',
  fields: (t) => ({
    color: t.exposeString('color', { nullable: true, description: '#rrggbb' }),
    logoUrl: t.string({
      nullable: true,
      description: "Absolute, at the service's address.",
      resolve: ({ logo }, _args, { services }) =>
        logo === null ? null : `${services.settings.baseUrl}${logoPath(logo)}`,
    }),
    supportUrl: t.exposeString('support', { nullable: true }),
    termsUrl: t.exposeString('terms', { nullable: true }),
    privacyUrl: t.exposeString('privacy', { nullable: true }),
  }),
});

const Application = builder.objectRef<ApplicationInfo>('Application').implement({
  description: 'The application that this service signs people in to.',
  fields: (t) => ({
    name: t.exposeString('name'),
    scopes: t.field({
      type: [ApplicationScope],
      description: 'Every scope of an organization, the built-in ones first. Never a platform scope.',
      resolve: ({ scopes }) => [...scopes],
    }),
    roles: t.field({ type: [ApplicationRole], resolve: ({ roles }) => [...roles] }),
    products: t.field({ type: [Product], resolve: ({ products }) => [...products] }),
    brand: t.expose('brand', { type: Brand }),
  }),
});

builder.queryFields((t) => ({
  products: t.field({
    type: [Product],
    resolve: guarded(operations.products, (_actor, _args, { services }) => [...services.application.products]),
  }),
  application: t.field({
    type: Application,
    description: 'Public.',
    resolve: guarded(operations.application, ({ services }) => services.application),
  }),
}));
