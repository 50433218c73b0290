import { Copy } from './copy.tsx';
import { formatCount } from './decimal.ts';

/** The bytes of a transaction in base64, with a button that copies them. */
export function Base64({ text }: { readonly text: string }) {
  return (
    <div class="pad stack">
      <p class="small dim">
        {formatCount(atob(text).length)} bytes, base64 <Copy text={text} what="transaction" />
      </p>
      <pre class="bytes-raw" tabIndex={0}>
        {text}
      </pre>
    </div>
  );
}
