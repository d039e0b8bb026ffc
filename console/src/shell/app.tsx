import { lazy, Suspense } from 'react';
import { Navigate, Route, Routes, useLocation } from 'react-router';
import { LiveProvider } from '../domains/live/live.tsx';
import { PAGES } from '../domains/pages/all-pages.ts';
import { SessionGate } from '../domains/session/session.tsx';
import { ErrorNote, Loading } from '../ui/states.tsx';
import { Login } from './login.tsx';
import { NotFound } from './not-found.tsx';
import { PageGuard } from './page-guard.tsx';
import { Shell } from './shell.tsx';

const ROUTES = PAGES.map(({ path, load }) => ({ path, Content: lazy(load) }));

/** Who is signed in, then the frame, then the page of the address. */
export function App() {
  const { pathname, search, hash } = useLocation();
  const atLogin = pathname === '/login';
  const from = atLogin ? (new URLSearchParams(search).get('from') ?? '/') : `${pathname}${search}`;
  // A token behind the # comes along.
  const login = `/login?from=${encodeURIComponent(from)}${hash}`;
  const signIn = atLogin ? <Login /> : <Navigate to={login} replace />;
  return (
    <SessionGate
      signIn={signIn}
      loading={<Loading />}
      failed={(error, again) => <ErrorNote error={error} again={again} />}
    >
      <LiveProvider>
        <Shell>
          <PageGuard key={pathname}>
            <Suspense fallback={<Loading />}>
              <Routes>
                {ROUTES.map(({ path, Content }) => (
                  <Route key={path} path={path} element={<Content />} />
                ))}
                <Route path="/login" element={<Navigate to={inside(from)} replace />} />
                <Route path="*" element={<NotFound />} />
              </Routes>
            </Suspense>
          </PageGuard>
        </Shell>
      </LiveProvider>
    </SessionGate>
  );
}

/** Only an address of this console: whoever made the link must not send people elsewhere. */
const inside = (address: string): string => (/^\/(?![/\\])/.test(address) ? address : '/');
