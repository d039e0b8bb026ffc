import { Link } from 'react-router';
import { useText } from '../domains/language/language.tsx';
import { Page } from '../ui/page.tsx';
import { shellText } from './text.ts';

export function NotFound() {
  const text = useText(shellText);
  return (
    <Page title={text.notFound}>
      <p>
        {text.notFoundWhy} <Link to="/">{text.toOverview}</Link>
      </p>
    </Page>
  );
}
