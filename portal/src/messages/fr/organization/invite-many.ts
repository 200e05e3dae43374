/** The messages of ../../en/organization/invite-many.ts in French. */
import type { Translated } from '../../../languages/translated.ts';
import type * as english from '../../en/organization/invite-many.ts';

export const inviteMany: Translated<typeof english.inviteMany> = {
  title: 'Inviter plusieurs personnes',
  addresses: 'Adresses e-mail',
  addressesHint:
    'Depuis une colonne, une liste ou les destinataires d’un e-mail : séparées par des retours à la ligne, des virgules, des points-virgules ou des espaces.',
  counted: '{count, plural, =0 {Aucune adresse pour l’instant} one {# adresse} other {# adresses}}',
  missing: 'Collez au moins une adresse.',
  tooMany: '{count, number} adresses : au plus {most, number} à la fois.',
  check: 'Vérifier les adresses',
  preview: {
    title: 'Rien n’est encore envoyé',
    ready:
      '{count, plural, =0 {Aucune invitation ne serait envoyée} one {# invitation serait envoyée} other {# invitations seraient envoyées}}',
    submit: '{count, plural, one {Envoyer # invitation} other {Envoyer # invitations}}',
    change: 'Modifier la liste',
  },
  report: {
    title: 'La liste est traitée',
    sent: '{count, plural, =0 {Aucune invitation n’a été envoyée} one {# invitation est en route} other {# invitations sont en route}}',
    another: 'Inviter d’autres personnes',
    differs:
      'Depuis l’aperçu, les membres, les places ou les limites ont changé : le compte rendu ci-dessous montre ce qui s’est passé.',
  },
  notInvited: '{count, plural, one {# adresse est écartée} other {# adresses sont écartées}}',
  outcomes: {
    INVITED: 'Invitation envoyée',
    RENEWED: 'Nouvelle invitation : le lien précédent avait expiré',
    MEMBER: 'Est déjà membre',
    ALREADY_INVITED: 'A déjà une invitation',
    OWN_ADDRESS: 'Est votre propre adresse',
    MALFORMED: 'N’est pas une adresse e-mail',
    REPEATED: 'Figure deux fois dans la liste',
    NO_SEAT: 'Aucune place n’est libre dans le forfait',
    TOO_MANY_MAILS: 'Trop d’e-mails d’invitation en ce moment : réessayez plus tard',
    NOT_ALLOWED: 'Avait une invitation avec un rôle que vous ne pouvez pas donner',
  },
  columns: { address: 'Adresse', outcome: 'Résultat' },
  plan: 'Voir le forfait',
};
