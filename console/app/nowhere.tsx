import { Go } from '../parts/go.tsx';
import { Empty } from '../parts/states.tsx';

/** What a path shows that leads to no view. */
export function Nowhere() {
  return (
    <section class="card">
      <Empty title="There is no such view.">
        <Go class="btn" to="/console/">
          To the start
        </Go>
      </Empty>
    </section>
  );
}
