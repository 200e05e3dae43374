/** The messages of ../../en/sign-in/step-up.ts in French. */
import type { Translated } from '../../../languages/translated.ts';
import type * as english from '../../en/sign-in/step-up.ts';

export const stepUp: Translated<typeof english.stepUp> = {
  title: 'Confirmez votre identité',
  lead: 'Votre connexion date un peu. Ce que vous avez commencé se poursuit ensuite.',
  leadSecondFactor: 'Cela demande plus que votre mot de passe. Ce que vous avez commencé se poursuit ensuite.',
  pageLead: 'Votre connexion date un peu. Vous continuerez ensuite.',
  pageLeadSecondFactor: 'Cela demande plus que votre mot de passe. Vous continuerez ensuite.',
  password: 'Votre mot de passe',
  submit: 'Confirmer',
  wrongPassword: 'Le mot de passe est incorrect.',
  code: 'Code de votre application d’authentification, ou code de récupération',
  submitCode: 'Confirmer avec le code',
  wrongCode: 'Le code est incorrect, ou a déjà été utilisé.',
  withProvider: 'Confirmer avec {provider}',
  providerLeaves: 'Vous quittez cette page pour {provider} et y revenez. Recommencez alors.',
  nothing:
    'Votre compte n’a ni mot de passe, ni clé d’accès, ni code qui puisse être demandé ici. Déconnectez-vous et reconnectez-vous : pendant dix minutes, cela ne vous sera pas demandé.',
  noSecondFactor:
    'Votre compte n’a pas encore de second facteur. Configurez une clé d’accès ou des codes à usage unique sous « Compte », « Sécurité », et continuez de là.',
  setUp: 'Configurer un second facteur',
};

export const secondFactorNeeded: Translated<typeof english.secondFactorNeeded> = {
  organization: {
    title: '{organization} exige un second facteur',
    text: 'La connexion par mot de passe ou par fournisseur seul n’y suffit pas : tant que vous n’avez pas confirmé avec une clé d’accès ou un code à usage unique, vous ne pouvez pas utiliser l’organisation. Vous pouvez toujours passer à une autre organisation, ou la quitter.',
  },
  platform: {
    title: 'Les super-administrateurs ont besoin d’un second facteur ici',
    text: 'Cette page est ouverte aux sessions confirmées avec une clé d’accès ou un code à usage unique.',
  },
  confirm: 'Confirmer votre identité',
  setUp: 'Configurer un second facteur',
  setUpHere: 'Configurez-en un ci-dessous. Vous pourrez aussitôt tout utiliser de nouveau.',
};
