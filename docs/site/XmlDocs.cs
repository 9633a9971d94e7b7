using System.Reflection;
using System.Text;
using System.Text.RegularExpressions;
using System.Xml.Linq;

namespace DocsSite;

/// <summary>The docstrings of assemblies, as Markdown, by the ids that the compiler gives to types and members.</summary>
internal sealed partial class XmlDocs
{
    private readonly Dictionary<string, XElement> _members;

    public XmlDocs(IEnumerable<Assembly> assemblies) => _members = assemblies
        .SelectMany(assembly => XDocument.Load(System.IO.Path.ChangeExtension(assembly.Location, ".xml")).Descendants("member"))
        .ToDictionary(member => member.Attribute("name")!.Value);

    /// <summary>One section of a docstring, such as its summary; empty when there is none.</summary>
    public string Section(string id, string section) =>
        _members.TryGetValue(id, out XElement? member) && member.Element(section) is { } element ? TextOf(element) : "";

    /// <summary>The parameters that have a description.</summary>
    public IEnumerable<(string Name, string Text)> Parameters(string id) => _members.TryGetValue(id, out XElement? member)
        ? member.Elements("param").Concat(member.Elements("typeparam")).Select(element => (element.Attribute("name")!.Value, TextOf(element))) : [];

    private static string TextOf(XElement element)
    {
        StringBuilder text = new();
        foreach (XNode node in element.Nodes())
        {
            text.Append(node switch
            {
                XText words => words.Value,
                XElement { Name.LocalName: "c" } code => $"`{code.Value}`",
                XElement { Name.LocalName: "see" or "seealso" or "paramref" or "typeparamref" } see => $"`{NameOf(see)}`",
                XElement { Name.LocalName: "para" } para => $"\n\n{TextOf(para)}\n\n",
                XElement { Name.LocalName: "code" } block => $"\n\n```\n{block.Value.Trim()}\n```\n\n",
                XElement other => TextOf(other),
                _ => "",
            });
        }

        return LineEnds().Replace(text.ToString(), " ").Trim();
    }

    // cref="M:PerfCommon.Reactor.Reactor.Start(System.Int32)" -> Reactor.Start
    private static string NameOf(XElement see)
    {
        string name = (see.Attribute("cref") ?? see.Attribute("langword") ?? see.Attribute("name") ?? see.Attribute("href"))?.Value ?? see.Value;
        string[] parts = name.Split(':')[^1].Split('(')[0].Split('.');
        string last = parts[^1].Split('`')[0];
        return name.StartsWith("T:", StringComparison.Ordinal) || parts.Length < 2 ? last : $"{parts[^2].Split('`')[0]}.{last}";
    }

    [GeneratedRegex(@"(?<!\n)[ \t]*\n[ \t]*(?!\n|```|[ \t])")]
    private static partial Regex LineEnds();
}
