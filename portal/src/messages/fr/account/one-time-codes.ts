/** The messages of ../../en/account/one-time-codes.ts in French. */
import type { Translated } from '../../../languages/translated.ts';
import type * as english from '../../en/account/one-time-codes.ts';

export const oneTimeCodes: Translated<typeof english.oneTimeCodes> = {
  title: 'Codes à usage unique',
  lead: 'Après votre mot de passe, la connexion demande un code d’une application d’authentification.',
  off: 'Désactivés',
  offText: 'Toute personne qui connaît votre mot de passe peut se connecter avec lui seul.',
  on: 'Activés',
  recoveryCodesLeft:
    '{count, plural, =0 {Il ne reste aucun code de récupération. Créez-en de nouveaux.} one {Il reste # code de récupération.} other {Il reste # codes de récupération.}}',
  setUp: 'Configurer',
  useOtherApp: 'Utiliser une autre application',
  newRecoveryCodes: 'Nouveaux codes de récupération',
  turnOff: 'Désactiver',
  turnedOff: 'Les codes à usage unique sont désactivés. Vous vous connecterez désormais sans eux.',
  setUpTitle: 'Configurer les codes à usage unique',
  scan: 'Scannez ceci avec votre application d’authentification.',
  qrCode: 'Code QR pour votre application d’authentification',
  byHand: 'Ou saisissez cette clé dans l’application :',
  open: 'Ouvrir une application sur cet appareil',
  code: 'Code à six chiffres affiché par l’application',
  wrongCode:
    'Le code est incorrect. Vérifiez que l’horloge de votre appareil est à l’heure, et saisissez le code le plus récent.',
  expired: 'Cela a pris plus de dix minutes, ou a été recommencé ailleurs. Recommencez avec un nouveau code QR.',
  startAgain: 'Recommencer',
  confirm: 'Activer',
  codesTitle: 'Conservez ces codes de récupération',
  codesLead:
    'Chacun vous connecte une fois lorsque vous n’avez pas votre application. Ils ne sont affichés que maintenant. Conservez-les là où vous seul les trouverez, et pas sur l’appareil qui contient l’application.',
  codesOf: 'Codes de récupération de {email} pour {application}',
  copy: 'Copier',
  copied: 'Les codes sont copiés.',
  notCopied: 'Le navigateur n’a pas permis la copie. Sélectionnez les codes, ou téléchargez-les.',
  download: 'Télécharger',
  print: 'Imprimer',
  done: 'Je les ai conservés',
  confirmOff: {
    title: 'Désactiver les codes à usage unique ?',
    text: 'Vous vous connecterez sans code. Vos codes de récupération cessent de fonctionner.',
    submit: 'Désactiver',
  },
  confirmNew: {
    title: 'Créer de nouveaux codes de récupération ?',
    text: 'Les codes de récupération que vous avez maintenant cessent de fonctionner.',
    submit: 'Créer de nouveaux codes',
  },
};

export const secondFactor: Translated<typeof english.secondFactor> = {
  title: 'Saisissez votre code',
  lead: 'Votre compte demande un code de votre application d’authentification.',
  leadRecovery: 'Saisissez l’un de vos codes de récupération. Chacun fonctionne une fois.',
  code: 'Code à six chiffres',
  recoveryCode: 'Code de récupération',
  submit: 'Se connecter',
  useRecoveryCode: 'Utiliser un code de récupération',
  useApp: 'Utiliser un code de l’application',
  noRecoveryCode: 'Il ne vous reste aucun code de récupération.',
  passkey: 'Vous pouvez aussi recommencer, et vous connecter avec votre clé d’accès.',
  wrong: 'Le code est incorrect, ou a déjà été utilisé.',
  limited: 'Il y a eu trop de codes incorrects. Attendez {minutes, plural, one {# minute} other {# minutes}}.',
  limitedRecovery: 'En attendant, un code de récupération fonctionne.',
  overTitle: 'Cette tentative de connexion a pris fin',
  over: 'Elle a pris plus de cinq minutes, ou il y a eu trop de codes incorrects. Rien n’a changé.',
  startAgain: 'Se connecter de nouveau',
  lost: 'Vous n’avez ni l’application ni un code de récupération ?',
  lostText:
    'Seul l’exploitant de ce service peut retirer les codes de votre compte, une fois certain que c’est bien vous qui le demandez.',
  support: 'Demander de l’aide',
};
