import { describeBreaches, type Judgment } from '../policy/judge-spending.ts';

type Refused = Exclude<Judgment, { readonly kind: 'allow' }>;

/** Error for a payment that the spending policy does not allow. Nothing was signed. */
export class PolicyRefusal extends Error {
  override readonly name = 'PolicyRefusal';
  /** The rules against the payment, each with the figure and what is left. */
  readonly breaches: Refused['breaches'];
  /** Whether it would be allowed once a person approves it. */
  readonly needsApproval: boolean;

  constructor(verdict: Refused) {
    super(`Nothing was signed: ${describeBreaches(verdict)}`);
    this.breaches = verdict.breaches;
    this.needsApproval = verdict.kind === 'ask';
  }
}
