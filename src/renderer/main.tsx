import '../shared/plain-schemas.ts';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import './ui/tokens.css';
import './ui/base.css';
import { connectEngine } from './platform/client.ts';
import { App } from './shell/App.tsx';
import { startWindow } from './shell/start.ts';

startWindow();
connectEngine();
const root = document.getElementById('root');
if (!root) throw new Error('the page has no element #root');
createRoot(root).render(
  <StrictMode>
    <App />
  </StrictMode>,
);
