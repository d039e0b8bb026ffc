import { QueryClientProvider } from '@tanstack/react-query';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { BrowserRouter } from 'react-router';
import { newQueryClient } from './domains/api/queries.ts';
import { LanguageProvider } from './domains/language/language.tsx';
import { ThemeProvider } from './domains/theme/theme.tsx';
import { App } from './shell/app.tsx';
import './ui/tokens.css';
import './ui/base.css';
import './ui/page.css';
import './ui/controls.css';
import './ui/tables.css';
import './ui/figures.css';
import './shell/shell.css';

const root = document.getElementById('root');
if (!root) throw new Error('the page has no root');

createRoot(root).render(
  <StrictMode>
    <QueryClientProvider client={newQueryClient()}>
      <ThemeProvider>
        <LanguageProvider>
          <BrowserRouter>
            <App />
          </BrowserRouter>
        </LanguageProvider>
      </ThemeProvider>
    </QueryClientProvider>
  </StrictMode>,
);
