namespace PerfTools.Reports;

/// <summary>The style of a report: light and dark, on a screen and on paper, colours that the colour-blind can distinguish.</summary>
internal static class PageStyle
{
    public const string Css = """
        :root{color-scheme:light dark;--back:#fff;--text:#1b1f24;--soft:#57606a;--rule:#d8dee4;--c0:#0062a3;--c1:#b34700;--c2:#00704f;--c3:#8a3a82;--ok:#00704f;--slow:#8f5700;--failed:#b3261e}
        @media(prefers-color-scheme:dark){:root{--back:#14171b;--text:#e6e9ed;--soft:#a0a9b4;--rule:#333a43;--c0:#6cb8f0;--c1:#f2a35e;--c2:#4fd0a5;--c3:#dd9ad4;--ok:#4fd0a5;--slow:#f0b85a;--failed:#ff8f85}}
        @media print{:root{color-scheme:light;--back:#fff;--text:#000;--soft:#444;--rule:#bbb;--c0:#0062a3;--c1:#b34700;--c2:#00704f;--c3:#8a3a82;--ok:#00704f;--slow:#8f5700;--failed:#b3261e}details{display:none}section,figure{break-inside:avoid}}
        *{box-sizing:border-box}
        body{margin:0;background:var(--back);color:var(--text);font:15px/1.45 system-ui,"DejaVu Sans",sans-serif}
        main{max-width:1240px;margin:0 auto;padding:20px}
        h1{font-size:24px;margin:0}h2{font-size:17px;margin:26px 0 8px}figcaption b{font-size:15px}
        p{margin:4px 0}.soft,figcaption{color:var(--soft);font-size:13px}figcaption b{color:var(--text);display:block}
        .verdict{margin:16px 0;padding:12px 16px;border-left:6px solid var(--v);background:color-mix(in srgb,var(--v) 9%,var(--back));overflow-wrap:anywhere}
        .verdict b{color:var(--v);font-size:20px;margin-right:10px}
        .ok,.better,.same,.found,.at{--v:var(--ok)}.slow,.missed,.interrupted,.none,.mixed,.not,.unconfirmed{--v:var(--slow)}.failed,.worse{--v:var(--failed)}
        .tables{display:grid;grid-template-columns:repeat(auto-fit,minmax(min(100%,420px),1fr));gap:0 36px}
        section{min-width:0}.wide{grid-column:1/-1}
        .scroll{overflow-x:auto}
        table{border-collapse:collapse;width:100%;font-variant-numeric:tabular-nums}
        th,td{padding:4px 10px 4px 0;border-bottom:1px solid var(--rule);text-align:left;vertical-align:top}
        th{font-weight:600;color:var(--soft);font-size:13px}
        .r{text-align:right;white-space:nowrap}
        .r+td:not(.r),.r+th:not(.r){padding-left:24px}
        .text td{overflow-wrap:anywhere}.text td:first-child{overflow-wrap:normal;width:30%}
        .charts{display:grid;grid-template-columns:repeat(auto-fit,minmax(min(100%,440px),1fr));gap:22px 36px}
        figure{margin:0;min-width:0}svg{display:block;width:100%;max-width:640px;height:auto}
        svg text{font-size:122px;fill:var(--soft)}.e{text-anchor:end}.m{text-anchor:middle}
        .g{stroke:var(--rule);stroke-width:8;fill:none}.l{fill:none;stroke:var(--c);stroke-width:22;stroke-linejoin:round}
        .k{stroke:var(--soft);stroke-width:14;stroke-dasharray:28 28;fill:none}.thin{stroke-width:13}.dashed{stroke-dasharray:80 60;stroke-width:16}.b{fill:var(--c);opacity:.2;stroke:none}.p{fill:none;stroke:var(--c);stroke-width:30;stroke-linecap:round}
        svg .n{fill:var(--c);font-weight:600}.c0{--c:var(--c0)}.c1{--c:var(--c1)}.c2{--c:var(--c2)}.c3{--c:var(--c3)}
        details{margin-top:18px}summary{cursor:pointer;color:var(--soft)}
        pre{white-space:pre-wrap;overflow-wrap:anywhere;font-size:11px;max-height:240px;overflow-y:auto}
        .points td,.points th{font-size:12px;padding:1px 8px 1px 0;text-align:right;white-space:nowrap}
        """;
}
