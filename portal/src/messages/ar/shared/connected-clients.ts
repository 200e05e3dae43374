/** The messages of ../../en/shared/connected-clients.ts in Arabic. */
import type { Translated } from '../../../languages/translated.ts';
import type * as english from '../../en/shared/connected-clients.ts';

export const clients: Translated<typeof english.clients> = {
  host: 'يعيد التوجيه إلى',
  loopback: 'برنامج على جهاز الشخص نفسه',
  clientId: 'معرّف العميل',
  resource: 'خادم MCP',
  scopes: 'يمكنه',
  connected: 'تاريخ الاتصال',
  expires: 'ينتهي في',
  lastUsed: 'آخر استخدام',
  neverUsed: 'لم يُستخدم',
  total:
    '{total, plural, zero {لا اتصالات} one {اتصال واحد} two {اتصالان} few {# اتصالات} many {# اتصالًا} other {# اتصال}}',
  shownOf: 'يُعرض {shown, number} من {total, number}',
  end: 'إنهاء',
  endOne: 'إنهاء اتصال {name} عبر {host}',
  wasEnded: 'انتهى اتصال {name}، ولم يعد يعمل.',
  ending: {
    title: 'إنهاء اتصال {name}؟',
    text: 'يفقد العميل إمكانية الوصول فورًا. وليعمل من جديد، يحتاج إلى موافقة جديدة.',
    submit: 'إنهاء الاتصال',
  },
};

export const ownClients: Translated<typeof english.ownClients> = {
  title: 'العملاء المتصلون',
  lead: 'برامج، مثل مساعدي الذكاء الاصطناعي، تسمح لها بالعمل باسمك في مؤسسة.',
  list: 'عملاؤك المتصلون',
  none: 'لم تصل أي عميل. أضف ‎{address}‎ إلى عميل MCP، فيطلب موافقتك لمؤسسة واحدة في كل مرة. يمكنك إنهاء اتصاله هنا في أي وقت.',
  life: 'ينتهي الاتصال عندما تنهيه أو تغادر مؤسسته أو تسجّل الخروج من كل مكان.',
};

export const organizationClients: Translated<typeof english.organizationClients> = {
  title: 'العملاء المتصلون في {name}',
  lead: 'برامج، مثل مساعدي الذكاء الاصطناعي، يسمح لها الأعضاء بالعمل باسمهم في هذه المؤسسة.',
  list: 'العملاء المتصلون',
  none: 'لم يصل أي عضو عميلًا.',
  notAllowed: 'لا يسمح لك دورك في هذه المؤسسة بإدارة عملائها المتصلين.',
};

export const mcpPolicy: Translated<typeof english.mcpPolicy> = {
  title: 'سياسة العملاء',
  lead: 'يسري التغيير من الطلب التالي لكل عميل. العميل الذي تمنعه السياسة يبقى متصلًا، ويعمل من جديد عندما تسمح به السياسة.',
  clients: 'العملاء الذين يمكن للأعضاء استخدامهم',
  ANY: 'أي عميل',
  ANY_text: 'يصل الأعضاء العملاء الذين يختارونهم.',
  LISTED: 'المدرجون فقط',
  LISTED_text: 'يعمل العميل عندما يكون معرّفه أو المضيف الذي يعيد التوجيه إليه مدرجًا.',
  NONE: 'لا أحد',
  NONE_text: 'لا يعمل أي عميل، ولا يمكن وصل أي عميل.',
  clientIds: 'معرّفات العملاء',
  clientIdsHint: 'واحد في كل سطر، و100 على الأكثر: معرّف عميل مسجَّل، أو عنوان https الدقيق لمستند بيانات وصفية.',
  redirectHosts: 'المضيفون',
  redirectHostsHint:
    'واحد في كل سطر، و100 على الأكثر. يعمل العميل عندما يعيد التوجيه إلى هذا المضيف بالضبط، مثل ‎app.example.com‎، أو ‎scheme://host‎ لمخطط خاص به.',
  loopbackTitle: 'هذا يسمح لكل برنامج على جهاز أي عضو',
  loopback:
    '‎127.0.0.1‎ و‎localhost‎ و‎[::1]‎ هي جهاز الشخص نفسه. يمكن لكل برنامج عليه أن يعيد التوجيه إليه، مهما كان الاسم الذي يعرضه.',
  submit: 'حفظ السياسة',
  saved: 'حُفظت السياسة. وهي تسري من الطلب التالي لكل عميل.',
};
