/** The messages of ../../en/sign-in/sign-up.ts in French. */
import type { Translated } from '../../../languages/translated.ts';
import type * as english from '../../en/sign-in/sign-up.ts';

export const signUp: Translated<typeof english.signUp> = {
  title: 'Créer votre compte',
  lead: 'Nous vous enverrons un lien pour confirmer votre adresse.',
  leadWithProvider:
    'Continuez avec {provider}, ou choisissez un mot de passe : nous vous enverrons alors un lien pour confirmer votre adresse.',
  submit: 'Créer un compte',
  haveAccount: 'Vous avez déjà un compte ?',
  signIn: 'Se connecter',
};

export const checkMail: Translated<typeof english.checkMail> = {
  title: 'Consultez votre messagerie',
  sent: 'Nous envoyons un message à <address>{email}</address>, sauf si un message est parti au cours de la dernière heure. Il indique comment continuer : par un lien qui confirme un nouveau compte ou, si vous avez déjà un compte, en vous connectant.',
  validity: 'Le lien fonctionne pendant 24 heures.',
  earlier:
    'Si vous vous êtes déjà inscrit avec cette adresse sans l’avoir encore confirmée, c’est le mot de passe de cette première fois qui compte. Pour recommencer, utilisez le deuxième lien du message.',
  missing:
    'Rien après quelques minutes ? Regardez dans le dossier des courriers indésirables. Nous envoyons au plus un message par heure.',
  sendAgain: 'Renvoyer',
  sentAgain:
    'Si l’adresse attend sa confirmation et que le dernier message est parti il y a plus d’une heure, un autre est en route. Le lien d’un message plus ancien peut alors cesser de fonctionner.',
  otherAddress: 'Utiliser une autre adresse',
  unansweredTitle: 'Votre compte a peut-être été créé',
  unanswered:
    'Le service n’a pas répondu à temps. Si votre compte a été créé, un message est en route vers <address>{email}</address> : ouvrez le lien qu’il contient.',
  unansweredMissing:
    'Rien après quelques minutes ? Regardez dans vos indésirables, puis inscrivez-vous de nouveau : avec la même adresse, c’est sans danger.',
  again: 'S’inscrire de nouveau',
  readyTitle: 'Continuez en vous connectant',
  ready:
    'Si l’adresse est nouvelle ici, votre compte est prêt. Si elle a déjà un compte, rien n’y a changé, et c’est son propre mot de passe qui compte.',
};
