import { useState } from 'react';

export function Layout({ title, pages, children }) {
  const [query, setQuery] = useState('');
  const found = pages.filter((page) => matches(page, query));
  return (
    <main>
      <Search value={query} onChange={setQuery} />
      <h1>{title}</h1>
      {found.map((page) => (
        <Card key={page.url} {...page} />
      ))}
      {children}
    </main>
  );
}

const Search = ({ value, onChange }) => (
  <input value={value} onChange={(event) => onChange(event.target.value)} />
);

function Card({ url, title, summary }) {
  return (
    <a href={url}>
      {title}: {summary}
    </a>
  );
}

const matches = (page, query) => page.title.toLowerCase().includes(query);

export default Layout;
