/** Two small repositories of a shop, one of them with packages, for screenshots of a workspace. */

/** TypeScript repository with a manifest for each package. */
export const CHECKOUT = {
  'package.json': '{"name": "checkout", "private": true, "workspaces": ["packages/*"]}\n',
  'packages/cart/package.json': '{"name": "@acme/cart"}\n',
  'packages/cart/src/cart.ts': `import { applyVoucher, type Voucher } from '@acme/pricing';

export interface Line {
  price: number;
  quantity: number;
}

/** Goods that a customer is about to buy. */
export class Cart {
  readonly lines: Line[] = [];
  voucher: Voucher | null = null;

  add(price: number, quantity = 1): void {
    this.lines.push({ price, quantity });
  }

  /** The sum of all lines, the voucher taken off. */
  total(): number {
    const sum = this.lines.reduce((total, line) => total + line.price * line.quantity, 0);
    return this.voucher ? applyVoucher(sum, this.voucher) : sum;
  }
}
`,
  'packages/pricing/package.json': '{"name": "@acme/pricing"}\n',
  'packages/pricing/src/voucher.ts': `export interface Voucher {
  code: string;
  percent: number;
  expires: Date;
}

/** A total with a voucher taken off; tax is added afterwards. */
export function applyVoucher(total: number, voucher: Voucher): number {
  if (isExpired(voucher)) return total;
  return total - (total * voucher.percent) / 100;
}

export function isExpired(voucher: Voucher, now = new Date()): boolean {
  return voucher.expires < now;
}
`,
  'packages/pricing/src/tax.ts': `const RATES: Record<string, number> = { de: 19, fr: 20, nl: 21 };

/** A total with the tax of a country. */
export function addTax(total: number, country: string): number {
  return total * (1 + (RATES[country] ?? 0) / 100);
}
`,
  'packages/web/package.json': '{"name": "@acme/web"}\n',
  'packages/web/src/summary.ts': `import type { Cart } from '@acme/cart';
import { addTax } from '@acme/pricing';

/** The lines under the cart: its total, the voucher and the tax. */
export function renderSummary(cart: Cart, country: string): string {
  const total = cart.total();
  const tax = addTax(total, country) - total;
  return [\`Voucher \${cart.voucher?.code ?? 'none'}\`, \`Tax \${tax}\`, \`Total \${total + tax}\`].join('\\n');
}
`,
};

/** Python repository. */
export const BILLING = {
  'billing/invoice.py': `from billing.tax import tax_of


class Invoice:
    """What a customer owes for an order."""

    def __init__(self, lines, country, voucher=None):
        self.lines = lines
        self.country = country
        self.voucher = voucher

    def net(self):
        """The sum of all lines, before tax and without the voucher."""
        return sum(line.price * line.quantity for line in self.lines)

    def total(self):
        """What is to be paid: the sum, less the voucher, and the tax."""
        net = self.net()
        if self.voucher:
            net -= self.voucher.discount(net)
        return net + tax_of(self.net(), self.country)
`,
  'billing/tax.py': `RATES = {"de": 19, "fr": 20, "nl": 21}


def tax_of(net, country):
    """The tax on a sum, by the country of the customer."""
    return net * RATES.get(country, 0) / 100
`,
  'billing/reminders.py': `def due(invoices, today):
    """The invoices that are to be reminded of today."""
    return [invoice for invoice in invoices if invoice.due < today and not invoice.paid]
`,
};

export const VOUCHER_ISSUE = `# The invoice charges tax on the voucher

With a voucher of 10 %, \`Invoice.total\` is higher than the total that the cart shows:
the tax is worked out before the voucher is taken off.
`;
