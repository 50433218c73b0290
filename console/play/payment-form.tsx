import { useState } from 'preact/hooks';
import type { TableMint } from '../context/console-state.ts';
import { Button } from '../parts/button.tsx';
import { formatDecimal, parseDecimal } from '../parts/decimal.ts';
import { isAddress } from '../parts/encodings.ts';
import { amountFault, Field } from './fields.tsx';
import type { Intent } from './intent.ts';

/** A form and its initial values. */
export interface FormKind {
  readonly kind: 'deposit' | 'pay' | 'withdraw';
  readonly wallet: string;
  /** Initial amount, base units; null if it could not be read. */
  readonly amount: bigint | null;
  readonly to: string;
  readonly memo: string;
  readonly isOnBase: boolean;
}

interface PaymentFormProps {
  readonly form: FormKind;
  readonly name: string;
  readonly mint: TableMint;
  readonly isBusy: boolean;
  /** Wallets that can be paid, by name. */
  readonly payees: readonly { readonly name: string; readonly address: string }[];
  readonly onBegin: (intent: Intent) => void;
  readonly onCancel: (() => void) | null;
}

/** Maximum length of a stealth handle in bytes (spl.transfer `to`). */
const HANDLE_BYTES_MAX = 255;

/** Says why a recipient is invalid; null if it is valid. Only payments from base to base accept handles. */
function recipientFault(to: string, isOnBase: boolean): string | null {
  if (isAddress(to)) return null;
  if (!isOnBase) return 'Enter the address of a wallet.';
  const bytes = new TextEncoder().encode(to).length;
  return bytes > 0 && bytes <= HANDLE_BYTES_MAX ? null : 'Enter the address of a wallet or a stealth handle.';
}

/** Hint for an amount that could not be read. */
const UNREAD = 'The balance could not be read. Enter an amount.';

/** Hint for a withdrawal from an account that is delegated or empty. */
const NOTHING_READY =
  'Nothing is ready to withdraw. If the tokens are on the rollup, undelegate them first (More).';

const TITLES = { deposit: 'Deposit', pay: 'Pay', withdraw: 'Withdraw' } as const;

/** The form of a deposit, payment or withdrawal. Nothing is built before the button is pressed. */
export function PaymentForm({ form, name, mint, isBusy, payees, onBegin, onCancel }: PaymentFormProps) {
  const first = form.amount === null ? '' : formatDecimal(form.amount, mint.decimals);
  const [text, setText] = useState(first);
  const [memo, setMemo] = useState(form.memo);
  const [to, setTo] = useState(form.to);
  const isUnread = form.amount === null && text === '';
  const isNothingReady = form.kind === 'withdraw' && form.amount === 0n && text === first;
  const fault = isUnread ? UNREAD : amountFault(text, mint.decimals);
  const shown = isUnread || text !== first ? fault : null;
  const toFault = form.kind === 'pay' ? recipientFault(to, form.isOnBase) : null;
  const begin = (): void => {
    const amount = parseDecimal(text, mint.decimals);
    if (amount === null || fault !== null || toFault !== null) return;
    const { wallet, isOnBase } = form;
    onBegin(
      form.kind === 'pay'
        ? { kind: 'pay', wallet, to, amount, memo, isOnBase }
        : { kind: form.kind, wallet, amount },
    );
  };
  return (
    <form
      class="stage"
      onSubmit={(event) => {
        event.preventDefault();
        begin();
      }}
    >
      <div>
        <h1>{`${TITLES[form.kind]} as ${name}${form.isOnBase ? ', privately on the base ledger' : ''}`}</h1>
        <div class="row wrap fields">
          <Field label="Amount" value={text} onInput={setText} unit={mint.symbol ?? 'tokens'} fault={shown} />
          {isNothingReady && <p class="small muted">{NOTHING_READY}</p>}
          {form.kind === 'pay' ? (
            <>
              <div class="field">
                <label for="pay-to">{form.isOnBase ? 'Recipient or handle' : 'Recipient'}</label>
                <input
                  id="pay-to"
                  list="payees"
                  value={to}
                  aria-invalid={toFault !== null && to !== ''}
                  onInput={({ currentTarget }) => setTo(currentTarget.value.trim())}
                />
                <datalist id="payees">
                  {payees.map((payee) => (
                    <option value={payee.address} key={payee.address}>
                      {payee.name}
                    </option>
                  ))}
                </datalist>
                <span class="hint">
                  {toFault ?? payees.find(({ address }) => address === to)?.name ?? ''}
                </span>
              </div>
              {form.isOnBase ? null : <Field label="Note" value={memo} onInput={setMemo} />}
            </>
          ) : null}
        </div>
      </div>
      <div class="act">
        <Button kind="main" big submit busy={isBusy} reason={fault ?? toFault ?? undefined}>
          Review before signing
        </Button>
        {onCancel === null ? null : <Button onClick={onCancel}>Cancel</Button>}
      </div>
    </form>
  );
}
