import react from "@vitejs/plugin-react";
import { defineConfig, type Plugin } from "vite";

// Where `npm run dev` finds a gateway.
const gateway = process.env.PROWESS_GATEWAY ?? "http://127.0.0.1:18789";

/** Lets the browser fetch the pages beside the small script that opens the connection and then asks for them. */
function preloadPages(): Plugin {
  return {
    name: "preload-pages",
    transformIndexHtml(_, { bundle }) {
      const chunks = Object.values(bundle ?? {}).filter((file) => file.type === "chunk");
      const pages = chunks.find((chunk) => chunk.facadeModuleId?.endsWith("/src/app.tsx"));
      if (!pages) return [];
      const entries = new Set(chunks.filter((chunk) => chunk.isEntry).map((chunk) => chunk.fileName));
      const scripts = [pages.fileName, ...pages.imports].filter((file) => !entries.has(file));
      const styles = [...(pages.viteMetadata?.importedCss ?? [])];
      return [
        ...scripts.map((file) => ({ file, how: { rel: "modulepreload" } })),
        ...styles.map((file) => ({ file, how: { rel: "preload", as: "style" } })),
      ].map(({ file, how }) => ({
        tag: "link",
        attrs: { ...how, crossorigin: true, href: `/${file}` },
        injectTo: "head" as const,
      }));
    },
  };
}

export default defineConfig({
  plugins: [react(), preloadPages()],
  build: {
    target: "es2023",
    sourcemap: false,
    // The content policy of the gateway allows no data: scripts and no inline ones.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
  },
  server: {
    proxy: {
      "/ws": { target: gateway, ws: true, changeOrigin: true },
      "/api": { target: gateway, changeOrigin: true },
    },
  },
});
