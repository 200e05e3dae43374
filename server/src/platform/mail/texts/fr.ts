/** The mails in French, which says « vous ». */
import type { MailTexts } from '../mails.ts';
import { tokenTexts } from './tokens/fr.ts';

const signIn = 'Se connecter';
const seeSecurity = 'Voir la sécurité de votre compte';
const seeWays = 'Voir vos moyens de connexion';
const seeDevices = 'Voir vos appareils';
const strangerHasSession =
  'Si ce n’était pas vous, une autre personne est connectée à votre compte : déconnectez-vous partout sous « Vos appareils », et adressez-vous à l’exploitant de ce service.';
const inviteRole =
  '{role, select, OWNER { en tant que propriétaire} ADMIN { en tant qu’administrateur} MEMBER { en tant que membre} named { avec le rôle « {roleTitle} »} other {}}';
const inviteEnd =
  'Le lien vous montre l’invitation. Vous ne rejoignez l’organisation que si vous l’acceptez dans les 7 jours.';
const inviteRemark =
  'Cette invitation est destinée à {email}. Ne transférez pas cet e-mail : une personne qui a le lien pourrait prendre votre place. Si vous ne savez pas qui vous invite, ignorez cet e-mail.';
const kept =
  'C’était l’adresse d’un compte il y a peu, et le lien de notre e-mail sur cette modification permet de rétablir cette adresse jusqu’au {until}. D’ici là, aucun autre compte ne peut l’utiliser.';
const account = '{hasEmail, select, yes {le compte {email} chez {provider}} other {un compte chez {provider}}}';
const linkedByAddress = `Le {at}, ${account} a été associé à votre compte, car il a votre adresse et a servi à se connecter ici. Il permet désormais de se connecter à votre compte.`;
const disconnect =
  'Si ce n’était pas vous, connectez-vous avec votre mot de passe, dissociez {provider} sous « Moyens de connexion », et déconnectez-vous partout sous « Vos appareils ».';
const disconnectAndSecure = `${disconnect} Une autre personne peut alors peut-être utiliser {provider} avec votre adresse : sécurisez aussi ce compte.`;
const secureProvider =
  'Si ce n’était pas vous, une autre personne peut utiliser {provider} avec votre adresse : sécurisez ce compte, et adressez-vous à l’exploitant de ce service.';
const nothingToDo =
  'Si ce n’était pas vous, vous n’avez rien à faire : la réponse n’a pas révélé que vous avez un compte.';
const way = '{way, select, password {votre mot de passe} other {votre clé d’accès}}';
const changedByOwner = 'Si vous avez modifié vous-même l’adresse du compte, vous n’avez rien à faire.';
const notAsked = 'Si vous ne l’avez pas demandé, adressez-vous à l’exploitant de ce service.';
const canSignInWith = 'Vous pouvez maintenant vous connecter avec {provider}';
const keptTokens =
  '{tokens, plural, =0 {} one { Votre jeton personnel reste valable : un nouveau mot de passe n’y met pas fin.} other { Vos # jetons personnels restent valables : un nouveau mot de passe n’y met pas fin.}}';

export const texts: MailTexts = {
  shared: {
    greeting: 'Bonjour {name},',
    greetingWithoutName: 'Bonjour,',
    support: 'Assistance :',
    openAddress: 'Si le bouton ne fonctionne pas, ouvrez cette adresse :',
    identityProvider: 'le fournisseur d’identité',
  },
  verification: {
    subject: 'Confirmez votre adresse e-mail',
    body: 'Le {at}, un compte a été demandé avec cette adresse. Si c’était vous, confirmez que cette adresse est la vôtre : vous pourrez ensuite vous connecter avec le mot de passe que vous avez choisi alors.',
    action: 'Confirmer mon adresse',
    secondAction: 'Je n’ai rien demandé',
    remark:
      'Le premier lien fonctionne une seule fois, pendant 24 heures. Le second supprime le compte demandé : utilisez-le si ce n’était pas vous, ou pour recommencer avec un autre mot de passe. Si vous n’utilisez aucun des deux, le compte reste inutilisable, et il est supprimé une semaine après l’expiration du premier lien.',
  },
  alreadyRegistered: {
    subject: 'Vous avez déjà un compte',
    body: 'Le {at}, une inscription a été tentée avec cette adresse, sans doute par vous. Cette adresse a déjà un compte, et rien n’y a changé.',
    action: signIn,
    remark: nothingToDo,
  },
  alreadyRegisteredChange: {
    subject: 'Vous avez déjà un compte',
    body: 'Le {at}, une personne connectée à un autre compte a demandé à utiliser cette adresse pour celui-ci, sans doute vous. Cette adresse a déjà un compte, et rien n’y a changé.',
    action: signIn,
    remark: nothingToDo,
  },
  addressKept: {
    subject: 'Cette adresse est réservée à un compte',
    body: `Le {at}, une inscription a été tentée avec cette adresse. ${kept}`,
    remark: changedByOwner,
  },
  addressKeptChange: {
    subject: 'Cette adresse est réservée à un compte',
    body: `Le {at}, une personne connectée à un autre compte a demandé à utiliser cette adresse pour celui-ci. ${kept}`,
    remark: changedByOwner,
  },
  emailChangeConfirmation: {
    subject: 'Confirmez votre nouvelle adresse e-mail',
    body: 'Le {at}, une personne connectée au compte de {email} a demandé à utiliser cette adresse pour celui-ci. Si c’était vous, ouvrez le lien et confirmez la modification.\n\nVous vous connecterez ensuite avec cette adresse, et les e-mails du compte y seront envoyés.',
    action: 'Confirmer ma nouvelle adresse',
    remark:
      'Le lien fonctionne une seule fois, pendant 24 heures, et seulement pour une personne connectée au compte. Si ce n’était pas vous, vous n’avez rien à faire : rien ne change.',
  },
  emailChangeRequested: {
    subject: 'Une nouvelle adresse e-mail a été demandée pour votre compte',
    body: 'Le {at}, l’adresse {newEmail} a été demandée pour votre compte dans une session qui y est connectée. Rien ne change tant que la nouvelle adresse n’est pas confirmée ; un e-mail sera alors envoyé à cette adresse-ci.',
    action: 'Voir votre compte',
    remark:
      'Si ce n’était pas vous, une autre personne est connectée à votre compte : changez votre mot de passe, et déconnectez-vous partout. L’un comme l’autre met fin à la demande.',
  },
  emailChanged: {
    subject: 'L’adresse e-mail de votre compte a été modifiée',
    body: 'Le {at}, l’adresse de votre compte est passée de {email} à {newEmail}. Si c’était vous, vous n’avez rien à faire.\n\nSi ce n’était pas vous, annulez la modification avec ce lien. Il rétablit cette adresse, ainsi que le mot de passe et les autres moyens de connexion que le compte avait 72 heures avant la demande, retire ceux qui ont été ajoutés depuis, et déconnecte tous les appareils.',
    action: 'Annuler la modification',
    remark:
      'Le lien fonctionne une seule fois, pendant 72 heures. Ne transférez pas cet e-mail : une personne qui a le lien peut annuler la modification.',
  },
  emailChangeUndone: {
    subject: 'L’adresse e-mail de votre compte a été rétablie',
    body: 'Votre compte a de nouveau cette adresse, et les moyens de connexion qu’il avait le {at} : le mot de passe (ou celui que l’exploitant a défini depuis), les clés d’accès, les codes à usage unique et les associations à un fournisseur d’alors, et rien de ce qui a été ajouté ensuite. Tous les appareils et clients ont été déconnectés.\n\nSi vous n’avez pas demandé la modification annulée, une autre personne était connectée à votre compte : connectez-vous, et changez votre mot de passe.',
    action: signIn,
    remark: 'Si vous ne pouvez pas vous connecter, adressez-vous à l’exploitant de ce service.',
  },
  invitation: {
    subject: 'Invitation à rejoindre « {organization} »',
    body: `{inviter} vous invite à rejoindre « {organization} »${inviteRole}.\n\n${inviteEnd}`,
    action: 'Voir l’invitation',
    remark: inviteRemark,
  },
  invitationByOperator: {
    subject: 'Invitation à rejoindre « {organization} »',
    body: `Vous êtes invité à rejoindre « {organization} »${inviteRole}.\n\n${inviteEnd}`,
    action: 'Voir l’invitation',
    remark: inviteRemark,
  },
  oneTimeCodesAdded: {
    subject: 'La connexion demande maintenant un code à usage unique',
    body: 'Le {at}, une application d’authentification a été ajoutée à votre compte dans une session qui y était connectée. Après le mot de passe, la connexion demande un code de cette application ou un code de récupération.',
    action: seeSecurity,
    remark: strangerHasSession,
  },
  oneTimeCodesReplaced: {
    subject: 'Vos codes à usage unique viennent maintenant d’une autre application',
    body: 'Le {at}, une application d’authentification a remplacé la précédente dans une session connectée à votre compte. Les codes de la précédente et les anciens codes de récupération ne sont plus acceptés.',
    action: seeSecurity,
    remark: strangerHasSession,
  },
  oneTimeCodesRemoved: {
    subject: 'La connexion ne demande plus de code à usage unique',
    body: 'Le {at}, l’application d’authentification et les codes de récupération de votre compte ont été retirés dans une session qui y était connectée.',
    action: seeSecurity,
    remark: strangerHasSession,
  },
  recoveryCodesRenewed: {
    subject: 'Vos codes de récupération ont été remplacés',
    body: 'Le {at}, de nouveaux codes de récupération ont été créés dans une session connectée à votre compte. Les anciens ne sont plus acceptés.',
    action: seeSecurity,
    remark: strangerHasSession,
  },
  recoveryCodeUsed: {
    subject: 'Un code de récupération de votre compte a été utilisé',
    body: 'Le {at}, un code de récupération a été utilisé à la place d’un code à usage unique. {left, plural, =0 {Il n’en reste aucun : créez-en de nouveaux.} one {Il en reste un.} other {Il en reste #.}}',
    action: seeSecurity,
    remark:
      'Si ce n’était pas vous, une autre personne a vos codes de récupération et votre mot de passe : changez le mot de passe, et créez de nouveaux codes de récupération.',
  },
  passkeyAdded: {
    subject: 'Une clé d’accès a été ajoutée à votre compte',
    body: 'Le {at}, la clé d’accès « {passkey} » a été ajoutée à votre compte dans une session qui y était connectée. Elle permet désormais de se connecter à votre compte.',
    action: 'Voir vos clés d’accès',
    remark:
      'Si ce n’était pas vous, une autre personne est connectée à votre compte : déconnectez-vous partout sous « Vos appareils », changez votre mot de passe, et adressez-vous à l’exploitant de ce service, qui peut retirer la clé d’accès.',
  },
  passkeyRemoved: {
    subject: 'Une clé d’accès a été retirée de votre compte',
    body: 'Le {at}, la clé d’accès « {passkey} » a été retirée de votre compte dans une session qui y était connectée. Elle ne permet plus de se connecter à votre compte. Vos sessions restent connectées.',
    action: 'Voir vos clés d’accès',
    remark:
      'Si ce n’était pas vous, connectez-vous, changez votre mot de passe, et déconnectez-vous partout sous « Vos appareils ».',
  },
  passwordAdded: {
    subject: 'Vous pouvez maintenant vous connecter avec un mot de passe',
    body: `Le {at}, un mot de passe a été ajouté à votre compte dans une session qui y était connectée. Tous les autres appareils et clients ont été déconnectés.${keptTokens}`,
    action: seeDevices,
    remark:
      'Si ce n’était pas vous, une autre personne est connectée à votre compte : adressez-vous à l’exploitant de ce service.',
  },
  passwordChanged: {
    subject: 'Le mot de passe de votre compte a été modifié',
    body: `Le {at}, le mot de passe de votre compte a été modifié dans une session qui y était connectée. Tous les autres appareils et clients ont été déconnectés.${keptTokens}`,
    action: seeDevices,
    remark:
      'Si ce n’était pas vous, une autre personne connaît votre ancien mot de passe et est connectée à votre compte : adressez-vous à l’exploitant de ce service.',
  },
  passwordRemoved: {
    subject: 'Le mot de passe de votre compte a été retiré',
    body: 'Le {at}, le mot de passe de votre compte a été retiré dans une session commencée avec {provider}. Tous les autres appareils et clients ont été déconnectés. Vous vous connectez désormais avec {provider}.',
    action: seeWays,
    remark: secureProvider,
  },
  passwordSetByOperator: {
    subject: 'L’exploitant de ce service a défini un nouveau mot de passe pour votre compte',
    body: 'Le {at}, l’exploitant de ce service a défini un nouveau mot de passe pour votre compte, et tous les appareils et clients ont été déconnectés. L’exploitant vous communique le mot de passe autrement que par e-mail.\n\nConnectez-vous avec lui, et changez-le dans votre compte : vous serez seul à connaître le suivant.',
    action: signIn,
    remark: notAsked,
  },
  secondFactorRemoved: {
    subject: 'Le second facteur de votre compte a été retiré',
    body: 'Le {at}, l’exploitant de ce service a retiré les clés d’accès, les codes à usage unique et les codes de récupération de votre compte. Plus aucun ne fonctionne.\n\nVous vous connectez désormais sans eux, et pouvez en ajouter de nouveaux dans votre compte.',
    action: 'Voir votre compte',
    remark: notAsked,
  },
  identityLinked: {
    subject: canSignInWith,
    body: linkedByAddress,
    action: seeWays,
    remark: disconnectAndSecure,
  },
  identityLinkedWithPassword: {
    subject: canSignInWith,
    body: `${linkedByAddress}\n\nLe compte a aussi un mot de passe. Si vous ne l’avez pas défini, connectez-vous avec {provider} : il vous sera demandé une fois s’il faut le retirer, ce qui déconnecte tous les autres appareils.`,
    action: seeWays,
    remark: disconnectAndSecure,
  },
  identityLinkedInsteadOfPassword: {
    subject: canSignInWith,
    body: `${linkedByAddress}\n\nAuparavant, l’adresse du compte n’était pas confirmée : le mot de passe du compte a donc été retiré, et toutes les sessions commencées avec lui ont pris fin.`,
    action: seeWays,
    remark: secureProvider,
  },
  identityLinkedInSession: {
    subject: canSignInWith,
    body: `Le {at}, ${account} a été associé à votre compte dans une session qui y était connectée. Il permet désormais de se connecter à votre compte.`,
    action: seeWays,
    remark: disconnect,
  },
  identityUnlinked: {
    subject: 'Vous ne pouvez plus vous connecter avec {provider}',
    body: `Le {at}, ${account} a été dissocié de votre compte dans une session qui y était connectée. Vous vous connectez désormais avec ${way}.\n\nVos sessions restent connectées. Si vous vous connectez de nouveau avec {provider} et cette adresse, ce compte sera peut-être associé de nouveau.`,
    action: seeWays,
    remark: `Si ce n’était pas vous, connectez-vous avec ${way}, et déconnectez-vous partout sous « Vos appareils ».`,
  },
  personalTokenReported: {
    subject: 'Votre jeton personnel « {token} » a été signalé comme divulgué',
    body: 'Le {at}, votre jeton personnel « {token} » pour {organization} nous a été signalé comme divulgué. Le signalement contenait le jeton lui-même : il a donc été révoqué aussitôt, avec tous ses secrets encore valables.\n\nCherchez où le jeton a été divulgué et à quoi il a servi depuis. Si vous en avez encore besoin, créez un nouveau jeton.',
    action: 'Voir votre compte',
    remark:
      'De tels signalements viennent de programmes qui recherchent des secrets, et toute personne qui a trouvé un jeton peut en envoyer. Cet e-mail ne répète rien du signalement, car nous ne savons pas qui l’a envoyé.',
  },
  serviceTokenReported: {
    subject: 'Un jeton de « {serviceAccount} » a été signalé comme divulgué',
    body: 'Le {at}, un jeton du compte de service « {serviceAccount} » de {organization} nous a été signalé comme divulgué. Le signalement contenait le jeton lui-même : il a donc été révoqué aussitôt, avec tous ses secrets encore valables.\n\nCe qui utilise le jeton n’a plus accès. Cherchez où le jeton a été divulgué et à quoi il a servi depuis, et créez un nouveau jeton pour le compte de service.',
    action: 'Ouvrir le portail',
    remark:
      'Vous recevez cet e-mail parce que vous gérez les jetons de l’organisation. Il ne répète rien du signalement, car nous ne savons pas qui l’a envoyé.',
  },
  sessionReported: {
    subject: 'Une session de votre compte a été terminée car son jeton a été divulgué',
    body: 'Le {at}, un jeton d’une de vos sessions nous a été signalé comme divulgué. Le signalement contenait le jeton lui-même : la session a donc été terminée aussitôt. Vos autres sessions restent connectées.\n\nLe jeton d’une session se trouve dans la mémoire d’un navigateur ou d’un client. S’il a été divulgué, un programme de l’appareil ou un journal publié peut en être la cause.',
    action: 'Voir votre compte',
    remark:
      'Si vous ne savez pas comment le jeton a été divulgué, déconnectez-vous partout sous « Vos appareils ». Cet e-mail ne répète rien du signalement, car nous ne savons pas qui l’a envoyé.',
  },
  suspended: {
    subject: 'Votre compte a été suspendu',
    body: 'Le {at}, un administrateur de ce service a suspendu votre compte. Tous les appareils et clients ont été déconnectés, et il n’est pas possible de se connecter au compte tant qu’il n’est pas rétabli.\n\nCe qui appartient au compte est conservé.',
    remark: 'Si vous avez une question à ce sujet, adressez-vous à l’exploitant de ce service.',
  },
  reinstated: {
    subject: 'Votre compte a été rétabli',
    body: 'Le {at}, la suspension de votre compte a pris fin. Vous pouvez vous connecter de nouveau.',
    action: signIn,
    remark:
      'Les sessions d’avant restent terminées : reconnectez-vous sur chaque appareil, et reconnectez les clients MCP.',
  },
  organizationDeleted: {
    subject: 'L’organisation {organization} a été supprimée',
    body: '{deleter} a supprimé l’organisation {organization}. Ses membres ne peuvent plus l’utiliser, et ses invitations ne fonctionnent plus.\n\nJusqu’au {until}, un propriétaire peut la restaurer telle qu’elle était. Ensuite, elle est définitivement supprimée.',
    action: 'Voir vos organisations',
    remark: 'Vous recevez cet e-mail parce que vous êtes propriétaire de l’organisation.',
  },
  ...tokenTexts,
  accountDeleted: {
    subject: 'Votre compte a été supprimé',
    body: 'Le {at}, votre compte a été supprimé dans une session qui y était connectée, avec tout ce que nous conservions sur vous. Il ne peut pas être restauré.\n\nCette adresse est libre : vous pouvez de nouveau créer un compte avec elle.',
    remark:
      'Si ce n’était pas vous, une autre personne était connectée à votre compte : adressez-vous à l’exploitant de ce service.',
  },
};
