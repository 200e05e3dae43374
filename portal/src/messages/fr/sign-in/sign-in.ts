/** The messages of ../../en/sign-in/sign-in.ts in French. */
import type { Translated } from '../../../languages/translated.ts';
import type * as english from '../../en/sign-in/sign-in.ts';

export const signIn: Translated<typeof english.signIn> = {
  title: 'Se connecter',
  lead: 'Saisissez votre adresse e-mail et votre mot de passe.',
  leadWithProvider: 'Continuez avec {provider}, ou saisissez votre adresse e-mail et votre mot de passe.',
  submit: 'Se connecter',
  newHere: 'Nouveau ici ?',
  createAccount: 'Créer un compte',
  confirmed:
    'Votre adresse est confirmée. Connectez-vous avec le mot de passe que vous avez choisi lors de votre première inscription.',
  refused: 'L’adresse e-mail ou le mot de passe est incorrect.',
  noAnswer: 'Le service n’a pas répondu à temps. Vous n’êtes peut-être pas connecté : réessayez dans un instant.',
  notVerifiedTitle: 'Votre adresse e-mail n’est pas encore confirmée',
  notVerified:
    'Ouvrez le lien du message que nous vous avons envoyé. Si vous ne le trouvez pas, inscrivez-vous de nouveau avec la même adresse : nous envoyons alors un nouveau lien, au plus une fois par heure.',
  signUpAgain: 'S’inscrire de nouveau',
  forgotten: {
    question: 'Mot de passe oublié ?',
    passkey: 'Si votre compte a une clé d’accès, connectez-vous avec elle : aucun mot de passe n’est nécessaire.',
    provider:
      'Si votre compte est associé à {provider}, continuez avec {provider} : aucun mot de passe n’est nécessaire ici.',
    passkeyOrProvider:
      'Si votre compte a une clé d’accès ou est associé à {provider}, connectez-vous ainsi : votre mot de passe n’est nécessaire dans aucun des deux cas.',
    ask: 'Un mot de passe ne peut pas être réinitialisé par e-mail. Pour en obtenir un nouveau, adressez-vous à l’exploitant de {application}.',
    support: 'Demander de l’aide',
  },
  endings: {
    signedOut: 'Vous êtes déconnecté.',
    signedOutEverywhere: 'Vous êtes déconnecté de tous les appareils.',
    leftOrganization:
      'Vous avez quitté l’organisation, et cette session a donc pris fin. Reconnectez-vous pour continuer.',
    accountDeleted: 'Votre compte est supprimé.',
    expired: 'Votre session a pris fin. Reconnectez-vous pour continuer.',
  },
};

export const external: Translated<typeof english.external> = {
  unfinished: 'Votre connexion avec {provider} est presque terminée : il ne manque que la dernière étape.',
  someProvider: 'votre fournisseur',
  problems: {
    PROVIDER_CANCELLED: 'Vous avez annulé chez {provider}. Rien n’a changé.',
    PROVIDER_UNAVAILABLE: 'Pas de réponse de {provider} pour le moment. Veuillez réessayer dans un instant.',
    PROVIDER_REFUSED:
      'La réponse de {provider} n’était pas valable. Réessayez. Si cela se reproduit, adressez-vous à l’exploitant de ce service.',
    ATTEMPT_OVER:
      'Cette tentative est terminée : elle a pris trop de temps, était déjà achevée, ou a commencé dans un autre navigateur. Veuillez réessayer.',
    EXCHANGE_REFUSED: 'La connexion a pris trop de temps, ou était déjà achevée. Veuillez réessayer.',
    EMAIL_MISSING:
      'Un compte a besoin d’une adresse e-mail, mais la vôtre n’a pas été communiquée par {provider}. Partagez-la là-bas, ou utilisez un mot de passe ici.',
    EMAIL_UNVERIFIED:
      'Votre adresse e-mail n’est pas encore confirmée chez {provider}. Confirmez-la là-bas, ou utilisez un mot de passe ici.',
    ACCOUNT_HAS_OTHER_IDENTITY:
      'Le compte de ce service qui a votre adresse e-mail est associé à un autre compte chez {provider}. Continuez avec celui-là, ou utilisez votre mot de passe.',
    ACCOUNT_EXISTS:
      'Il existe déjà un compte avec cette adresse. Connectez-vous avec son mot de passe, puis associez {provider} sous « Moyens de connexion ».',
    ACCOUNT_SUSPENDED:
      'Votre compte est suspendu : vous ne pouvez pas vous connecter tant qu’il n’est pas rétabli. Adressez-vous à l’exploitant de ce service.',
    IDENTITY_TAKEN:
      'Le compte chez {provider} que vous avez choisi est associé à un autre compte de ce service. Choisissez-en un autre, ou connectez-vous à ce compte et dissociez-le d’abord.',
    LINK_SESSION_OVER:
      'Votre session a pris fin avant l’association à {provider}, ou une autre personne s’est connectée ici. Rien n’a été associé.',
    LINK_DECLINED:
      'Vous n’avez pas associé votre compte chez {provider} : rien n’a changé. Pour vous connecter avec lui, choisissez-le de nouveau.',
    RATE_LIMITED: 'Il y a eu trop de tentatives. Veuillez patienter un instant, puis réessayer.',
    UNAVAILABLE: 'Le service ne peut pas répondre en ce moment. Veuillez réessayer dans un instant.',
    ACCOUNT_MISMATCH:
      'Une autre personne était connectée ici à ce moment-là : rien n’a été modifié. Veuillez réessayer.',
    other:
      'Impossible de continuer avec {provider}. Réessayez. Si cela se reproduit, adressez-vous à l’exploitant de ce service.',
  },
  signedIn: {
    title: 'Cela n’a pas fonctionné',
    cancelledTitle: 'Rien n’a changé',
    mismatchTitle: 'Vous êtes déjà connecté',
    mismatch:
      'Vous êtes connecté en tant que <who>{email}</who>. Le compte chez {provider} que vous avez choisi appartient à un autre compte de ce service : rien n’a été modifié.',
    mismatchAdvice: 'Pour utiliser l’autre compte, déconnectez-vous puis reconnectez-vous.',
    otherIdentity:
      'Votre compte de ce service est déjà associé à un autre compte chez {provider}. Dissociez d’abord celui-là.',
    continueAs: 'Continuer en tant que {name}',
    signOut: 'Se déconnecter',
  },
};
