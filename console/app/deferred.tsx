import type { FunctionComponent } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { Note, Skeleton } from '../parts/states.tsx';

/** A view whose script comes when it is first shown. Rows of the final height stand in for it. */
export function deferred<Props extends object>(
  load: () => Promise<FunctionComponent<Props>>,
): FunctionComponent<Props> {
  let loaded: FunctionComponent<Props> | null = null;
  return function Deferred(props: Props) {
    const [shown, setShown] = useState<{ readonly view: FunctionComponent<Props> | null }>({ view: loaded });
    const [hasFailed, setFailed] = useState(false);
    useEffect(() => {
      if (loaded !== null) return;
      load().then(
        (view) => {
          loaded = view;
          setShown({ view });
        },
        () => setFailed(true),
      );
    }, []);
    if (shown.view !== null) return <shown.view {...props} />;
    return (
      <section class="card">
        {hasFailed ? (
          <Note kind="bad">
            <b>This view did not arrive.</b> The service does not answer, or was updated. Load the page again.
          </Note>
        ) : (
          <Skeleton rows={8} />
        )}
      </section>
    );
  };
}
