/** The messages of ../../en/organization/plan.ts in Japanese. */
import type { Translated } from '../../../languages/translated.ts';
import type * as english from '../../en/organization/plan.ts';

export const plan: Translated<typeof english.plan> = {
  title: 'プラン',
  lead: '{organization}のプランと、メンバーがそのプランで利用できる機能です。',
  current: {
    title: '現在のプラン',
    none: 'プランなし',
    unnamed: '名称未設定のプラン',
    trialEnds: 'トライアルは{date}に終了します。',
    trialEnded: 'トライアルは{date}に終了しました。',
    periodEnds: '現在の期間は{date}に終了します。',
    periodEnded: '前回の期間は{date}に終了しました。',
  },
  NONE: {
    badge: '未契約',
    meaning:
      '組織にプランがないため、プランが必要な機能は利用できません。アカウント、サインイン、受け取った招待は引き続き利用できます。',
  },
  ACTIVE: {
    badge: '有効',
    meaning: 'メンバーは、プランに含まれ、役割で許可されている機能を利用できます。',
  },
  TRIALING: {
    badge: 'トライアル中',
    meaning: 'トライアル期間中、メンバーは、プランに含まれ、役割で許可されている機能を利用できます。',
  },
  PAST_DUE: {
    badge: '支払い遅延',
    meaning:
      'お支払いが遅れています。支払いが完了するまで、プランの機能は利用できません。メンバーのアカウントと役割は維持されます。',
  },
  CANCELED: {
    badge: '終了',
    meaning: 'プランが終了したため、その機能は利用できません。メンバーのアカウントと役割は維持されます。',
  },
  change: {
    manage: '請求を管理',
    manageLead: '支払い方法、請求書、解約は、決済事業者のページで管理します。',
    subscribe: '申し込む',
    subscribeTo: '{product}に申し込む',
    choose: '下からプランを選択してください。決済事業者のページでお支払いの後、ここに戻ります。',
    awaited: '決済事業者からの確認を待っています。',
    noOther: '現在、ほかに選択できるプランはありません。',
    askOwner: 'プランは{organization}の所有者が変更できます。所有者に依頼してください。',
    askOperator: 'このページではプランを変更できません。変更するには、このサービスの運営者にお問い合わせください。',
    notForSale: 'このプランは現在購入できません。このサービスの運営者にお問い合わせください。',
    nothingPaid: 'この組織はまだプランの支払いをしていません。先にプランを選択してください。',
  },
  checkout: {
    done: {
      title: '支払い手続きが完了しました',
      text: '決済事業者が支払いを確認すると、すぐにこのページのプランに反映されます。',
    },
    cancelled: {
      title: '支払い手続きが中止されました',
      text: '何も購入されておらず、プランは変更されていません。',
    },
    reload: '更新',
  },
  allowed: {
    title: '許可されている操作',
    lead: {
      OWNER: '役割とプランの両方で決まります。あなたは{organization}の所有者です。',
      ADMIN: '役割とプランの両方で決まります。あなたは{organization}の管理者です。',
      MEMBER: '役割とプランの両方で決まります。あなたは{organization}のメンバーです。',
      other: '役割とプランの両方で決まります。{organization}でのあなたの役割は{role}です。',
    },
    granted: '許可',
    forbidden: '不許可',
    denialReasons: {
      notActive: '有効なプランがありません。',
      notIncluded: 'プランに含まれていません。',
      role: 'あなたの役割に含まれていません。',
    },
    reasons: '理由',
  },
  products: {
    title: '各プランの内容',
    lead: '役割で許可されているメンバーが対象です。',
    current: '現在のプラン',
    nothing: 'アカウントのみ',
    members: '{count, plural, other {メンバー#人まで}}',
  },
  scopes: {
    MEMBERS_VIEW: '組織に所属している人の確認',
    MEMBERS_INVITE: 'ユーザーの招待',
    MEMBERS_UPDATE: '役割の変更',
    MEMBERS_REMOVE: 'ユーザーの削除',
    ORGANIZATION_UPDATE: '組織の名前の変更',
    BILLING_MANAGE: '支払いと請求の管理',
    TOKENS_MANAGE: 'トークンとサービスアカウントの管理',
    MCP_MANAGE: '接続済みMCPクライアントの管理',
    AUDIT_VIEW: '組織の監査ログの閲覧',
  },
};
