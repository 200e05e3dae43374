/** The pages in Japanese, in the polite form, with the words of the portal. */
import type { PageTexts } from '../page-texts.ts';

const signedInAs = 'サインイン中のアカウント';
const startAgain = 'クライアントに戻り、接続を最初からやり直してください。';
const notUnderstood = 'このリクエストを処理できません';

export const texts: PageTexts = {
  consent: {
    title: 'アクセスを許可しますか？',
    heading: '{client}による代理操作を許可しますか？',
    unverified:
      'この名前は、クライアントが登録時に付けたもので、確認されていません。ご自身で今この接続を開始した場合にのみ、許可してください。',
    document:
      'このクライアントの説明と名前は、{host}にある文書によるものです。ご自身で今この接続を開始した場合にのみ、許可してください。',
    documentOfLoopback:
      '回答はこのコンピューター上のプログラムに送られます。{host}の文書は、ここにあるどのプログラムも自分のものとして使用できます。信頼できるプログラムで、ご自身で今この接続を開始した場合にのみ、続行してください。',
    signedInAs,
    otherAccount:
      'ご自身のアカウントではありませんか？<signOut>ポータルでサインアウト</signOut>してから、クライアントで接続し直してください。',
    target: '回答の送信先',
    localApp: 'このコンピューター上のアプリ',
    scopes: '許可される操作',
    changes: '変更あり',
    idle: '次の権限はポータルでのみ有効で、ここでは何も追加されません',
    narrowed: 'あなたに付与されていない権限も要求されましたが、それらは許可されません。',
    time: '有効期間',
    lifetime:
      '最長{time}です。ポータルの<devices>デバイスの一覧</devices>から、いつでも終了できます。セッションを終了する権限を持つスーパー管理者も終了できます。',
    refuse: '拒否する',
    allow: '許可する',
  },
  scopes: {
    'sessions:revoke': '任意のユーザーを、1台のデバイスまたはすべてのデバイスからサインアウトさせる',
    'users:suspend': 'ユーザーを停止してサインインできないようにする、または停止を解除する',
    'invitations:manage': '招待を再送信する、または取り消す',
    'mcp:whoami': 'あなたの情報と、ここで許可されている操作を確認する',
    'sessions:view': 'サインイン中のユーザーと、その開始日時およびアクセス元を確認する',
    'users:view': 'ユーザーを検索し、名前、メールアドレス、所属する組織を確認する',
    'organizations:view': 'すべての組織と、そのプラン、メンバー、保留中の招待を確認する',
    'mcp:access:view': '登録済みのMCPクライアントと、その最終使用日時を確認する',
  },
  organization: {
    heading: '{organization}で{client}があなたの代わりに操作することを許可しますか？',
    organization: '組織',
    choose: '別の組織を選ぶ',
    organizationOnly: 'アクセスできるのはこの組織だけです。別の組織には別の接続が必要です。',
    resource: 'アクセス先',
    missing: '次の権限も要求されていますが、与えられません',
    missingRole: 'ここでのあなたの役割（{role}）には、この権限がありません。',
    missingPlan: '組織のプランには、この権限が含まれていません。',
    missingPayment: '組織のサブスクリプションが有効でないため、権限は与えられません。',
    lifetime:
      '最長{time}です。ポータルの<clients>接続済みクライアント</clients>でいつでも終了できます。組織を離れると終了し、組織の管理者も終了できます。',
    notAccepted:
      '{organization}はこのクライアントを受け入れていません。所有者または管理者が、ポータルの組織のMCPクライアントで変更できます。',
    nothingHeld: 'このクライアントが要求する権限を、あなたは{organization}で持っていません。',
    secondFactor:
      '{organization}では2つ目の認証要素が必要ですが、このセッションでは使われていません。<confirm>2つ目の認証要素で確認する</confirm>か、別の組織を選んでください。',
    accountHeading: 'このアカウントでは{client}を接続できません',
    accountLead:
      'このクライアントは組織へのアクセスを求めていますが、ここでサインインしているアカウントはどの組織にも属していません。',
  },
  organizationScopes: {
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
  account: {
    title: '別のアカウントが必要です',
    heading: '{client}を接続できるのは、スーパー管理者だけです',
    lead: 'Platform MCPは、サービス全体を操作します。ここにサインインしているアカウントは、スーパー管理者のものではありません。',
    signedInAs,
    effect:
      '別のアカウントを使用する場合は、最初にこのブラウザーでポータルからサインアウトします。キャンセルすると、クライアントのアクセスは拒否されます。',
    cancel: 'キャンセル',
    other: '別のアカウントを使用',
  },
  link: {
    title: 'このアカウントに接続しますか？',
    lead: 'このブラウザーは、接続を依頼したセッションでサインインしていません。どちらもご自身のアカウントであり、ご自身で接続を依頼した場合にのみ、2つのアカウントを接続してください。',
    identity: '{provider}のアカウント',
    noName: '名前のないアカウント',
    account: 'ここのアカウント',
    otherAddress:
      'このアカウントのアドレスは、{provider}のアカウントのアドレスと異なります。ご自身のものでない場合は、「接続しない」を選択してください。',
    effect: '接続した場合',
    effectText: '今後、{provider}でサインインすると、常に上記のアカウントが開きます。',
    refuse: '接続しない',
    connect: '接続する',
  },
  failed: {
    title: '問題が発生しました',
    message: 'サービス側で問題が発生しました。',
    advice: '繰り返し発生する場合は、このIDをこのサービスの運営者にお知らせください：{id}',
  },
  limited: {
    title: 'リクエストが多すぎます',
    message: '過去1時間以内に、お使いのネットワークからのアクセスの要求が多すぎました。',
    advice: '{wait}待ってからクライアントに戻り、接続を最初からやり直してください。',
  },
  unavailable: {
    title: '現在利用できません',
    message: 'サービスが現在応答できません。しばらくしてからもう一度お試しください。',
    advice: startAgain,
  },
  misread: {
    title: notUnderstood,
    message: 'このリクエストは、このページから送信されたものではありません。',
    advice: startAgain,
  },
  malformed: {
    title: notUnderstood,
    message: 'クライアントのリクエストが、必要な形式になっていません。',
    advice: 'この問題はクライアントの開発者による修正が必要で、ここでは変更できません。',
  },
  answered: {
    title: 'このリクエストは回答済みです',
    message:
      'このリクエストには、すでに回答しています。リクエストへの回答は1回だけで、回答はクライアントに届いています。',
    advice: 'クライアントに戻ってください。接続されていない場合は、クライアントで接続を最初からやり直してください。',
  },
  clientUnknown: {
    title: 'このクライアントはここに登録されていません',
    message: 'クライアントが送信したIDで登録されたクライアントはありません。',
    advice: 'クライアントからこのサーバーを削除し、もう一度追加して、登録し直してください。',
  },
  clientRevoked: {
    title: 'このクライアントは接続できなくなりました',
    message: 'このクライアントの登録は失効しています。',
    advice:
      'クライアントからこのサーバーを削除してもう一度追加するか、失効の理由をスーパー管理者にお問い合わせください。',
  },
  clientDocument: {
    title: 'このクライアントを確認できません',
    message: 'このクライアントが自身を説明する文書を使用できません。',
    advice:
      '1分待ってから、もう一度接続してください。このページがまた表示される場合は、下に記載されている内容をクライアントの開発者にお伝えください。詳細は、スーパー管理者がポータルの接続一覧で確認できます。',
  },
  redirectUri: {
    title: 'このクライアントには応答できません',
    message:
      'このリダイレクトURIは、クライアントが登録していないか、ここで使用できないものです。異なっていてもよいのは、ループバックアドレスのポートだけです。',
    advice:
      'クライアントの開発者の方へ：このリダイレクトURIをそのまま登録してください。ループバックアドレスでない場合は、このサービスのMCP_REDIRECT_ALLOW_LISTにも含まれている必要があります。',
  },
  expired: {
    title: 'このリクエストは終了しました',
    message: 'このリクエストは存在しないか、10分が経過して期限切れになりました。',
    advice: startAgain,
  },
  otherBrowser: {
    title: 'このリクエストは別のブラウザーのものです',
    message: 'このリクエストは別のブラウザーで開始されたか、このブラウザーにCookieが保存されていません。',
    advice:
      'クライアントが開いたブラウザーで、Cookieを有効にして回答するか、ここから接続を最初からやり直してください。',
  },
  otherPage: {
    title: '回答は受け付けられませんでした',
    message:
      'この回答がこのサービスのページから送信されたものではないか、ページの表示後に別の人がここでサインインしました。',
    advice: '何も決定されていません。このページをもう一度開いて、リクエストを確認してください。',
  },
};
