import { useState } from 'preact/hooks';
import { parseDecimal } from '../parts/decimal.ts';

interface FieldProps {
  readonly label: string;
  readonly value: string;
  readonly onInput: (value: string) => void;
  readonly unit?: string;
  /** Why the value is invalid; null if it is valid. */
  readonly fault?: string | null;
}

/** Number of fields created so far, for unique ids. */
let fields = 0;

/** An input field with its label above and its error below. */
export function Field({ label, value, onInput, unit, fault = null }: FieldProps) {
  const [id] = useState(() => `field-${++fields}`);
  return (
    <div class="field">
      <label for={id}>{label}</label>
      <span class="row">
        <input
          id={id}
          type="text"
          autocomplete="off"
          inputMode={unit === undefined ? 'text' : 'decimal'}
          maxLength={unit === undefined ? 200 : 28}
          value={value}
          aria-invalid={fault !== null}
          aria-describedby={`${id}-fault`}
          onInput={({ currentTarget }) => onInput(currentTarget.value)}
        />
        {unit === undefined ? null : <span class="dim small">{unit}</span>}
      </span>
      <span class="hint" id={`${id}-fault`}>
        {fault}
      </span>
    </div>
  );
}

/** Says why a typed amount is invalid; null if it is valid. */
export function amountFault(text: string, decimals: number): string | null {
  const amount = parseDecimal(text, decimals);
  if (amount === null) return `Enter a number with at most ${decimals} decimals.`;
  return amount === 0n ? 'Enter more than zero.' : null;
}
