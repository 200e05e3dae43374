/** The messages of ../../en/sign-in/verify.ts in French. */
import type { Translated } from '../../../languages/translated.ts';
import type * as english from '../../en/sign-in/verify.ts';

export const verify: Translated<typeof english.verify> = {
  title: 'Confirmez votre adresse e-mail',
  lead: 'Vous avez demandé dans ce navigateur un compte avec <address>{email}</address>. Cliquez sur le bouton pour confirmer que l’adresse est la vôtre, puis connectez-vous. L’ouverture du lien n’a encore rien changé.',
  submit: 'Confirmer',
  byPassword: {
    lead: 'Saisissez le mot de passe que vous avez choisi lors de l’inscription. Il confirme que le compte est le vôtre, et vous connecte.',
    submit: 'Confirmer et se connecter',
    replaces: 'Vous êtes connecté ici en tant que {email}. Si vous continuez, vous serez connecté à l’autre compte.',
    refusedTitle: 'Ce n’est pas le mot de passe du compte',
    refused:
      'Saisissez le mot de passe de la première inscription avec cette adresse : une inscription ultérieure ne le change pas. Si vous ne l’avez pas choisi, une autre personne a demandé le compte : supprimez-le par le lien ci-dessous, puis inscrivez-vous vous-même.',
    reject: 'Je n’ai pas demandé ce compte',
  },
  earlier: {
    title: 'Le mot de passe d’une inscription antérieure compte',
    text: 'Quand vous vous êtes inscrit dans ce navigateur, un compte avec cette adresse attendait déjà sa confirmation. Il a gardé le mot de passe choisi en premier.',
    lead: 'Saisissez le mot de passe de la première inscription. Il confirme que le compte est le vôtre, et vous connecte.',
    anew: 'Supprimer ce compte et recommencer',
  },
  expired: {
    title: 'Ce lien a expiré',
    text: 'Il était valable 24 heures. Rien n’a été confirmé.',
    submit: 'Envoyer un nouveau lien',
  },
  signIn: 'Se connecter',
  signUp: 'S’inscrire de nouveau',
  toStart: 'Aller à la page d’accueil',
  signedInAsOther:
    'Vous êtes encore connecté ici en tant que {email}. Pour utiliser le compte que vous venez de confirmer, déconnectez-vous d’abord.',
  VERIFIED: { title: 'Votre adresse est confirmée', text: 'Merci. Vous pouvez maintenant vous connecter.' },
  EXPIRED_RESENT: {
    title: 'Nous vous avons envoyé un nouveau lien',
    text: 'Ouvrez le lien du message qui est en route. Il fonctionne pendant 24 heures.',
  },
  EXPIRED: {
    title: 'Un message est déjà en route',
    text: 'Nous en envoyons au plus un par heure, et le dernier est parti il y a moins d’une heure : utilisez le lien qu’il contient. S’il ne vous parvient pas, inscrivez-vous de nouveau avec la même adresse dans une heure.',
  },
  INVALID: {
    title: 'Ce lien ne fonctionne pas',
    text: 'Il a peut-être déjà servi, ou est incomplet. Si vous avez déjà confirmé votre adresse, connectez-vous. Sinon, inscrivez-vous de nouveau avec la même adresse pour recevoir un nouveau lien.',
  },
};

export const reject: Translated<typeof english.reject> = {
  title: 'Supprimer ce compte ?',
  lead: 'Un compte a été demandé avec votre adresse e-mail, et n’est pas encore confirmé. Si ce n’était pas vous, ou si vous voulez recommencer avec un autre mot de passe, supprimez le compte. L’ouverture de cette page n’a encore rien changé.',
  submit: 'Supprimer le compte',
  keep: 'Je l’ai demandé moi-même',
  done: {
    title: 'Le compte est supprimé',
    text: 'Toutes ses données sont supprimées. Vous pouvez vous inscrire vous-même avec l’adresse. Nous lui envoyons au plus un message par heure : si aucun n’arrive après votre inscription, faites-le renvoyer une heure après le dernier.',
  },
  invalid: {
    title: 'Ce lien ne fonctionne pas',
    text: 'Le compte a peut-être déjà été supprimé ou confirmé. Si vous avez reçu un message plus récent, utilisez le lien qu’il contient.',
  },
  toSignUp: 'Créer vous-même un compte',
};
