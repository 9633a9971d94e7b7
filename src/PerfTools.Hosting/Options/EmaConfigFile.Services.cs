using System.Globalization;
using System.Xml.Linq;
using PerfCommon;

namespace PerfTools.Hosting.Options;

/// <summary>The service that an EMA configuration defines for a provider; null for values that the file leaves out.</summary>
/// <param name="Name">Its name.</param>
/// <param name="Id">Its id in message keys.</param>
/// <param name="Capabilities">Numbers of the domains to announce, as far as the provider has them.</param>
internal sealed record EmaService(string? Name, int? Id, IReadOnlyList<byte>? Capabilities);

/// <content>Reads the groups of directories and dictionaries.</content>
internal sealed partial class EmaConfigFile
{
    private const string DomainPrefix = "MMT_";

    // The domains that a provider of ours can have.
    private static readonly (string Word, byte Number)[] Domains =
        [("DICTIONARY", 5), ("MARKET_PRICE", 6), ("MARKET_BY_ORDER", 7), ("SYMBOL_LIST", 10)];

    private RoleOptions FillDirectory(XElement directory, RoleOptions options, List<string> unused)
    {
        XElement[] services = [.. directory.Elements("Service")];
        if (services.Length == 0)
            throw FileErrors.Input(_path, $"Directory \"{Printable(ValueOf(directory.Element("Name")))}\" has no Service");
        XElement? info = services[0].Element("InfoFilter");
        unused.AddRange(services.Skip(1).Select(service => $"Service {Printable(ValueOf(service.Element("Name")))}"));
        unused.AddRange(services[0].Elements().Select(NameOf).Where(name => name is not ("Name" or "InfoFilter")));
        unused.AddRange((info?.Elements() ?? []).Select(NameOf)
            .Where(name => name is not ("ServiceId" or "Capabilities" or "DictionariesProvided")));
        EmaService service = new(ValueOf(services[0].Element("Name")), ReadServiceId(info), ReadCapabilities(info, unused));
        options = options with { Session = FillDictionaries(info, options.Session, unused) };
        return options.WithService(service);
    }

    private int? ReadServiceId(XElement? info)
    {
        if (info?.Element("ServiceId") is not { } parameter)
            return null;
        return Number(parameter) is var id and <= ushort.MaxValue ? id : throw Error(parameter, $"at most {ushort.MaxValue}");
    }

    private List<byte>? ReadCapabilities(XElement? info, List<string> unused)
    {
        if (info?.Element("Capabilities") is not { } capabilities)
            return null;
        List<byte> domains = [];
        foreach (XElement entry in capabilities.Elements("CapabilitiesEntry"))
        {
            if (Array.Find(Domains, domain => IsDomain(Text(entry), domain)).Number is var known and not 0)
                domains.Add(known);
            else
                unused.Add($"Capabilities {Printable(Text(entry))}");
        }

        return domains;
    }

    // A word such as MMT_MARKET_PRICE, or a number.
    private static bool IsDomain(string text, (string Word, byte Number) domain) =>
        text == DomainPrefix + domain.Word
        || (int.TryParse(text, NumberStyles.None, CultureInfo.InvariantCulture, out int number) && number == domain.Number);

    // The provider uses the first dictionary that a service provides from files.
    private SessionOptions FillDictionaries(XElement? info, SessionOptions session, List<string> unused)
    {
        XElement[] provided = [.. info?.Element("DictionariesProvided")?.Elements("DictionariesProvidedEntry") ?? []];
        unused.AddRange(provided.Skip(1).Select(entry => $"DictionariesProvided {Printable(Text(entry))}"));
        return provided.Length == 0 ? session : FillDictionary(FindSection("Dictionary", Text(provided[0])), session, unused);
    }

    private SessionOptions FillDictionary(XElement section, SessionOptions session, List<string> unused)
    {
        XElement? type = section.Element("DictionaryType");
        string kind = type is null ? "ChannelDictionary" : WordOf(type);
        unused.AddRange(section.Elements().Select(NameOf).Where(name => name
            is not ("Name" or "DictionaryType" or "RdmFieldDictionaryFileName" or "EnumTypeDefFileName")));
        return kind switch
        {
            "ChannelDictionary" => session with { DownloadsDictionary = true },
            "FileDictionary" => session with
            {
                FieldDictionary = ValueOf(section.Element("RdmFieldDictionaryFileName")) ?? session.FieldDictionary,
                EnumDictionary = ValueOf(section.Element("EnumTypeDefFileName")) ?? session.EnumDictionary,
            },
            _ => throw Error(type!, "ChannelDictionary or FileDictionary"),
        };
    }

    private static string Printable(string? text) => PrintableText.From(text ?? "");
}
