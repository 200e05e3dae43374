/** The messages of ../../en/organization/plan.ts in German. */
import type { Translated } from '../../../languages/translated.ts';
import type * as english from '../../en/organization/plan.ts';

export const plan: Translated<typeof english.plan> = {
  title: 'Tarif',
  lead: 'Der Tarif von {organization} und was die Mitglieder damit tun können.',
  current: {
    title: 'Aktueller Tarif',
    none: 'Kein Tarif',
    unnamed: 'Ein Tarif ohne Namen',
    trialEnds: 'Der Testzeitraum endet am {date}.',
    trialEnded: 'Der Testzeitraum endete am {date}.',
    periodEnds: 'Der aktuelle Zeitraum endet am {date}.',
    periodEnded: 'Der letzte Zeitraum endete am {date}.',
  },
  NONE: {
    badge: 'Kein Abonnement',
    meaning:
      'Die Organisation hat keinen Tarif, deshalb sind Funktionen, die einen brauchen, nicht verfügbar. Konten, Anmeldung und erhaltene Einladungen funktionieren weiterhin.',
  },
  ACTIVE: {
    badge: 'Aktiv',
    meaning: 'Mitglieder können tun, was der Tarif enthält und ihre Rolle erlaubt.',
  },
  TRIALING: {
    badge: 'Testzeitraum',
    meaning: 'Während des Testzeitraums können Mitglieder tun, was der Tarif enthält und ihre Rolle erlaubt.',
  },
  PAST_DUE: {
    badge: 'Zahlung überfällig',
    meaning:
      'Eine Zahlung ist überfällig. Die Funktionen des Tarifs sind nicht verfügbar, bis sie bezahlt ist. Mitglieder behalten ihre Konten und Rollen.',
  },
  CANCELED: {
    badge: 'Beendet',
    meaning:
      'Der Tarif ist beendet, deshalb sind seine Funktionen nicht verfügbar. Mitglieder behalten ihre Konten und Rollen.',
  },
  change: {
    manage: 'Abrechnung verwalten',
    manageLead: 'Zahlungsart, Rechnungen und Kündigung verwalten Sie beim Zahlungsanbieter.',
    subscribe: 'Abonnieren',
    subscribeTo: '{product} abonnieren',
    choose: 'Wählen Sie unten einen Tarif. Sie bezahlen beim Zahlungsanbieter und kommen dann hierher zurück.',
    awaited: 'Wir warten auf die Bestätigung des Zahlungsanbieters.',
    noOther: 'Zurzeit gibt es keinen anderen Tarif zur Auswahl.',
    askOwner: 'Inhaber von {organization} können den Tarif ändern. Wenden Sie sich an einen von ihnen.',
    askOperator:
      'Auf dieser Seite können Tarife nicht geändert werden. Um Ihren zu ändern, wenden Sie sich an den Betreiber dieses Dienstes.',
    notForSale: 'Dieser Tarif kann zurzeit nicht gekauft werden. Wenden Sie sich an den Betreiber dieses Dienstes.',
    nothingPaid: 'Diese Organisation hat noch keinen Tarif bezahlt. Wählen Sie zuerst einen.',
  },
  checkout: {
    done: {
      title: 'Sie haben den Bezahlvorgang abgeschlossen',
      text: 'Der Tarif ändert sich hier, sobald der Zahlungsanbieter die Zahlung bestätigt.',
    },
    cancelled: {
      title: 'Sie haben die Zahlungsseite verlassen',
      text: 'Sie haben nichts gekauft, und der Tarif hat sich nicht geändert.',
    },
    reload: 'Aktualisieren',
  },
  allowed: {
    title: 'Was Sie dürfen',
    lead: {
      OWNER: 'Ihre Rolle und der Tarif entscheiden gemeinsam. Sie sind Inhaber von {organization}.',
      ADMIN: 'Ihre Rolle und der Tarif entscheiden gemeinsam. Sie sind Administrator von {organization}.',
      MEMBER: 'Ihre Rolle und der Tarif entscheiden gemeinsam. Sie sind Mitglied von {organization}.',
      other: 'Ihre Rolle und der Tarif entscheiden gemeinsam. Ihre Rolle in {organization} ist {role}.',
    },
    granted: 'erlaubt',
    forbidden: 'nicht erlaubt',
    denialReasons: {
      notActive: 'Kein Tarif ist aktiv.',
      notIncluded: 'Der Tarif enthält es nicht.',
      role: 'Ihre Rolle enthält es nicht.',
    },
    reasons: 'Gründe',
  },
  products: {
    title: 'Was die Tarife enthalten',
    lead: 'Für Mitglieder, deren Rolle es erlaubt.',
    current: 'Aktueller Tarif',
    nothing: 'Nur ein Konto',
    members: '{count, plural, one {bis zu # Mitglied} other {bis zu # Mitglieder}}',
  },
  scopes: {
    MEMBERS_VIEW: 'Sehen, wer zur Organisation gehört',
    MEMBERS_INVITE: 'Personen einladen',
    MEMBERS_UPDATE: 'Rollen ändern',
    MEMBERS_REMOVE: 'Personen entfernen',
    ORGANIZATION_UPDATE: 'Organisation umbenennen',
    BILLING_MANAGE: 'Bezahlen und die Abrechnung verwalten',
    TOKENS_MANAGE: 'Token und Dienstkonten verwalten',
    MCP_MANAGE: 'Verbundene MCP-Clients verwalten',
    AUDIT_VIEW: 'Das Protokoll der Organisation sehen',
  },
};
