/** Pages of the demo Stripe: a purchase, its cancellation, and the page shown for any other address. */
import { escapeHtml } from '../../platform/mail/message.ts';
import { frame } from './frame.ts';

const name = 'demo Stripe';

export const payPage = (price: string): string =>
  frame(
    name,
    'Pay',
    `<h1>Subscribe to “${escapeHtml(price)}”</h1>
<p>This page replaces Stripe during development. Nothing is paid: Gatehouse is told of a paid subscription.</p>
<form method="post">
<button name="answer" value="yes">Pay</button>
<button name="answer" value="no">Cancel</button>
</form>`,
  );

export const managePage = (): string =>
  frame(
    name,
    'Subscription',
    `<h1>Your subscription</h1>
<p>This page replaces Stripe during development. Cancelling tells Gatehouse that the subscription has ended.</p>
<form method="post">
<button name="answer" value="yes">Cancel the subscription</button>
<button name="answer" value="no">Back</button>
</form>`,
  );

export const overPage = frame(
  name,
  'Nothing to pay',
  `<h1>There is nothing to pay here</h1>
<p>This is the demo Stripe of a Gatehouse in development. An owner reaches it from the plan page. Each of its pages can be answered once.</p>`,
);
