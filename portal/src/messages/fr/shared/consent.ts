/** The messages of ../../en/shared/consent.ts in French. */
import type { Translated } from '../../../languages/translated.ts';
import type * as english from '../../en/shared/consent.ts';

export const consent: Translated<typeof english.consent> = {
  title: 'Autorisez-vous la mesure d’audience ?',
  text: 'Si vous l’autorisez, un identifiant aléatoire de mesure est conservé pendant 30 jours avec un cookie de ce navigateur. Si vous refusez, il n’y a pas d’identifiant, seulement votre réponse. La connexion fonctionne de la même façon dans les deux cas, et vous pouvez modifier votre réponse.',
  allow: 'Autoriser',
  decline: 'Refuser',
  now: {
    allowed: 'Vous l’autorisez actuellement. Si vous refusez maintenant, l’identifiant est supprimé.',
    declined: 'Vous la refusez actuellement.',
  },
  change: 'Choix de confidentialité',
  notRecorded: 'Votre réponse n’a pas été enregistrée. Veuillez réessayer.',
  recorded: {
    allowed: 'Mesure d’audience autorisée.',
    declined: 'Mesure d’audience refusée. Aucun identifiant n’est conservé.',
    withdrawn: 'Autorisation retirée. L’identifiant a été supprimé.',
  },
  section: {
    title: 'Confidentialité',
    lead: 'Votre choix sur la mesure d’audience dans ce navigateur.',
    open: {
      title: 'Vous n’avez pas encore répondu',
      text: 'Tant que vous ne l’autorisez pas, aucun identifiant de mesure n’est conservé.',
    },
    allowed: {
      title: 'Vous autorisez la mesure d’audience',
      text: 'Un identifiant aléatoire est conservé pour ce navigateur pendant 30 jours à compter de votre réponse. Si vous retirez votre autorisation, il est supprimé aussitôt ; si vous autorisez de nouveau la mesure d’audience, un autre est créé.',
    },
    declined: {
      title: 'Vous refusez la mesure d’audience',
      text: 'Aucun identifiant n’est conservé, seulement cette réponse, pendant 30 jours.',
    },
    id: 'Votre identifiant :',
    allow: 'Autoriser la mesure d’audience',
    withdraw: 'Retirer',
  },
};
