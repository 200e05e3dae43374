/** What billing needs of the payment provider; `platform/stripe.ts` has it. */

export interface CheckoutRequest {
  readonly price: string;
  readonly organizationId: string;
  /** Who paid for the organization before; else the address of who pays now. */
  readonly payer: { readonly customer: string } | { readonly email: string };
  /** Where the browser goes on afterwards. */
  readonly successUrl: string;
  readonly cancelUrl: string;
}

/** Each call throws Refusal UNAVAILABLE when the provider does not answer, or not as it should. */
export interface PaymentProvider {
  /** The price at which this product can be bought now, or null. */
  findPrice(product: string): Promise<string | null>;
  /** An address at which the browser can pay. */
  openCheckout(request: CheckoutRequest): Promise<string>;
  /** An address at which the customer can see and change what they pay for. */
  openPortal(request: { readonly customer: string; readonly returnUrl: string }): Promise<string>;
}
