using System.Globalization;
using System.Reflection;
using System.Runtime.CompilerServices;
using System.Text;
using PerfCommon.Codec;
using PerfHub;
using PerfTools.Results.Documents;

namespace DocsSite;

/// <summary>The public API of PerfCommon, PerfHub and PerfTools.Results from their docstrings: a page for each namespace, and an index.</summary>
public static class ApiPages
{
    private const BindingFlags Declared =
        BindingFlags.Public | BindingFlags.NonPublic | BindingFlags.Instance | BindingFlags.Static | BindingFlags.DeclaredOnly;

    private static readonly Assembly[] Libraries = [typeof(DataType).Assembly, typeof(Hub).Assembly, typeof(RunDocument).Assembly];

    /// <summary>The pages: names of files and their Markdown.</summary>
    public static IReadOnlyList<(string Name, string Text)> Create()
    {
        XmlDocs docs = new(Libraries);
        IGrouping<string, Type>[] namespaces = [.. Libraries.SelectMany(library => library.GetExportedTypes())
            .OrderBy(type => type.FullName, StringComparer.Ordinal).GroupBy(type => type.Namespace!)];
        return [("index.md", CreateIndex(namespaces, docs)), .. namespaces.Select(group => ($"{group.Key}.md", CreatePage(group, docs)))];
    }

    internal static bool IsVisible(MethodBase method) => method.IsPublic || method.IsFamily || method.IsFamilyOrAssembly;

    private static string CreateIndex(IEnumerable<IGrouping<string, Type>> namespaces, XmlDocs docs)
    {
        StringBuilder text = new("# Public API of PerfCommon, PerfHub and PerfTools.Results\n\nHow the parts of PerfCommon work together: [the library in your own harness](../library.md).\n");
        foreach (IGrouping<string, Type> group in namespaces)
        {
            text.Append(CultureInfo.InvariantCulture, $"\n## {group.Key}\n\n| type | summary |\n|---|---|\n");
            foreach (Type type in group)
                text.Append(CultureInfo.InvariantCulture, $"| [{Cell(Signatures.NameOf(type))}]({group.Key}.md) | {Cell(docs.Section(DocIds.Of(type), "summary"))} |\n");
        }

        return text.ToString();
    }

    private static string CreatePage(IGrouping<string, Type> group, XmlDocs docs)
    {
        StringBuilder text = new($"# {group.Key}\n");
        foreach (Type type in group)
        {
            text.Append(CultureInfo.InvariantCulture, $"\n## {Signatures.NameOf(type)}\n\n```csharp\n{Signatures.Of(type)}\n```\n\n");
            AppendDocs(text, DocIds.Of(type), docs);
            foreach (MemberInfo member in MembersOf(type))
            {
                text.Append(CultureInfo.InvariantCulture, $"### {Heading(member)}\n\n```csharp\n{Signatures.Of(member)}\n```\n\n");
                AppendDocs(text, DocIds.Of(member), docs);
            }
        }

        return text.ToString();
    }

    private static string Heading(MemberInfo member) => member is ConstructorInfo
        ? $"{Signatures.NameOf(member.DeclaringType!)} constructor" : $"{Signatures.NameOf(member.DeclaringType!)}.{member.Name}";

    private static void AppendDocs(StringBuilder text, string id, XmlDocs docs)
    {
        Append(text, "", docs.Section(id, "summary"));
        foreach ((string name, string meaning) in docs.Parameters(id))
            text.Append(CultureInfo.InvariantCulture, $"- `{name}`: {meaning}\n");
        if (docs.Parameters(id).Any())
            text.Append('\n');
        Append(text, "Returns: ", docs.Section(id, "returns"));
        Append(text, "", docs.Section(id, "remarks"));
        Append(text, "Throws: ", docs.Section(id, "exception"));
    }

    private static void Append(StringBuilder text, string label, string section)
    {
        if (section.Length > 0)
            text.Append(CultureInfo.InvariantCulture, $"{label}{section}\n\n");
    }

    // What a program outside of the library can use; what the compiler adds to records has no docstring and no surprise.
    private static IEnumerable<MemberInfo> MembersOf(Type type) => type.GetMembers(Declared)
        .Where(member => !member.IsDefined(typeof(CompilerGeneratedAttribute)) && !member.Name.Contains('<', StringComparison.Ordinal) && member switch
        {
            FieldInfo field => (field.IsPublic || field.IsFamily) && !field.IsSpecialName,
            PropertyInfo property => property.GetAccessors(nonPublic: true).Any(IsVisible),
            ConstructorInfo constructor => IsVisible(constructor) && !constructor.IsStatic,
            MethodInfo method => IsVisible(method) && (!method.IsSpecialName || method.Name.StartsWith("op_", StringComparison.Ordinal)),
            EventInfo raised => raised.AddMethod is { } add && IsVisible(add),
            _ => false,
        })
        .OrderBy(member => type.IsEnum ? 0 : member.MemberType switch
        {
            MemberTypes.Constructor => 0,
            MemberTypes.Field => 1,
            MemberTypes.Property => 2,
            MemberTypes.Event => 3,
            _ => 4,
        });

    private static string Cell(string text) => text.Replace("|", "\\|", StringComparison.Ordinal).Replace('\n', ' ');
}
