using System.Globalization;
using System.Xml;
using PerfCommon;
using PerfTools.Processes;

namespace PerfTools.Editions;

/// <summary>Writes the EmaConfig.xml from which the message API's tools read their connection.</summary>
/// <remarks>Sections have the names that those tools look for; a value is an attribute. Each thread has its numbered consumer or publisher.</remarks>
internal static class EmaConfig
{
    /// <summary>The file name that the tools look for in the working folder.</summary>
    public const string FileName = "EmaConfig.xml";

    private static readonly (string, string)[] ServiceFacts =
        [("Vendor", "PerfTools"), ("IsSource", "1"), ("AcceptingConsumerStatus", "0"), ("SupportsQoSRange", "0"), ("SupportsOutOfBandSnapshots", "0")];

    private const int MaxDispatch = 6_500;

    /// <summary>Writes the file for one role.</summary>
    /// <param name="folder">The role's working folder.</param>
    /// <param name="tool">The program of ours that would play it.</param>
    /// <param name="arguments">The arguments for our program.</param>
    /// <param name="listenPort">The port to listen on; null for a role that connects.</param>
    /// <exception cref="SetupException">It cannot be written (exit code 7).</exception>
    public static void Write(string folder, string tool, IReadOnlyList<string> arguments, int? listenPort)
    {
        RoleArguments given = new(arguments);
        string compression = "CompressionType::" + given.ValueOf("-compressionType") switch { "zlib" => "ZLib", "lz4" => "LZ4", _ => "None" };
        int threads = int.TryParse(given.ValueOf("-threads"), CultureInfo.InvariantCulture, out int count) ? count : 1;
        string path = Path.Combine(folder, FileName);
        try
        {
            using XmlWriter xml = XmlWriter.Create(path, new() { Indent = true });
            xml.WriteStartElement("EmaConfig");
            if (listenPort is { } port)
                WriteProvider(xml, port, given, compression);
            else
                WriteClient(xml, tool == "NIProvPerf", threads, given, compression);
            WriteLists(xml);
            xml.WriteEndElement();
        }
        catch (Exception cause) when (FileErrors.IsMeantBy(cause))
        {
            throw EditionFolder.Unwritable(path, cause);
        }
    }

    private static void WriteProvider(XmlWriter xml, int port, RoleArguments given, string compression)
    {
        WriteGroup(xml, "IProvider", "Perf_Provider_1", [("Server", "Perf_Server_1"), ("Directory", "Directory_2"), ("Logger", "Logger_1"),
            ("ItemCountHint", "100000"), ("ServiceCountHint", "1"), .. Dispatch()]);
        WriteGroup(xml, "Server", "Perf_Server_1", [("ServerType", "ServerType::RSSL_SOCKET"), ("Port", Number(port)),
            ("CompressionType", compression), .. Buffers(given), ("TcpNodelay", "1"), ("InterfaceName", "")]);
        WriteDirectory(xml, "Directory_2", given.ValueOf("-serviceName") ?? "DIRECT_FEED", given.ValueOf("-serviceId") ?? "1");
    }

    private static void WriteClient(XmlWriter xml, bool isPublisher, int threads, RoleArguments given, string compression)
    {
        string group = isPublisher ? "NiProvider" : "Consumer", prefix = isPublisher ? "Perf_NIProvider_" : "Perf_Consumer_";
        string channel = isPublisher ? "Perf_NIP_Channel_" : "Perf_Channel_";
        xml.WriteStartElement(group + "Group");
        Write(xml, "Default" + group, prefix + 1);
        xml.WriteStartElement(group + "List");
        for (int i = 1; i <= threads; i++)
        {
            WriteEntry(xml, group, prefix + i, [("Channel", channel + i), ("Logger", "Logger_1"), ("ItemCountHint", "100000"), .. Dispatch(),
                isPublisher ? ("Directory", "Perf_Directory_1") : ("Dictionary", "Dictionary_1")]);
        }

        xml.WriteEndElement();
        xml.WriteEndElement();
        xml.WriteStartElement("ChannelGroup");
        xml.WriteStartElement("ChannelList");
        for (int i = 1; i <= threads; i++)
        {
            WriteEntry(xml, "Channel", channel + i, [("ChannelType", "ChannelType::RSSL_SOCKET"), ("Host", given.ValueOf("-h") ?? "localhost"),
                ("Port", given.ValueOf("-p") ?? "14002"), ("CompressionType", compression), .. Buffers(given),
                ("ConnectionPingTimeout", "30000"), ("TcpNodelay", "1")]);
        }

        xml.WriteEndElement();
        xml.WriteEndElement();
        if (isPublisher)
            WriteDirectory(xml, "Perf_Directory_1", given.ValueOf("-serviceName") ?? "NI_PUB", given.ValueOf("-serviceId") ?? "1");
    }

    private static void WriteDirectory(XmlWriter xml, string name, string service, string serviceId)
    {
        xml.WriteStartElement("DirectoryGroup");
        Write(xml, "DefaultDirectory", name);
        xml.WriteStartElement("DirectoryList");
        xml.WriteStartElement("Directory");
        Write(xml, "Name", name);
        xml.WriteStartElement("Service");
        Write(xml, "Name", service);
        WriteInfo(xml, serviceId);
        WriteEntry(xml, "StateFilter", null, [("ServiceState", "1"), ("AcceptingRequests", "1")]);
        for (int open = 0; open < 4; open++)
            xml.WriteEndElement();
    }

    private static void WriteInfo(XmlWriter xml, string serviceId)
    {
        xml.WriteStartElement("InfoFilter");
        Write(xml, "ServiceId", serviceId);
        foreach ((string part, string value) in ServiceFacts)
            Write(xml, part, value);
        WriteNested(xml, "Capabilities", "CapabilitiesEntry", ["MMT_MARKET_PRICE", "MMT_MARKET_BY_ORDER", "MMT_DICTIONARY"]);
        WriteNested(xml, "DictionariesProvided", "DictionariesProvidedEntry", ["Dictionary_1"]);
        WriteNested(xml, "DictionariesUsed", "DictionariesUsedEntry", ["Dictionary_1"]);
        xml.WriteStartElement("QoS");
        WriteEntry(xml, "QoSEntry", null, [("Timeliness", "Timeliness::RealTime"), ("Rate", "Rate::TickByTick")]);
        xml.WriteEndElement();
        xml.WriteEndElement();
    }

    // The lists that every role has: the dictionaries of its folder, and no log.
    private static void WriteLists(XmlWriter xml)
    {
        WriteGroup(xml, "Dictionary", "Dictionary_1", [("DictionaryType", "DictionaryType::FileDictionary"),
            ("RdmFieldDictionaryFileName", $"./{EditionFolder.Dictionaries[0]}"), ("EnumTypeDefFileName", $"./{EditionFolder.Dictionaries[1]}")]);
        WriteGroup(xml, "Logger", "Logger_1", [("LoggerType", "LoggerType::Stdout"), ("LoggerSeverity", "LoggerSeverity::Error")]);
    }

    private static void WriteGroup(XmlWriter xml, string kind, string name, IReadOnlyList<(string, string)> values)
    {
        xml.WriteStartElement(kind + "Group");
        if (kind is "IProvider")
            Write(xml, "DefaultIProvider", name);
        xml.WriteStartElement(kind + "List");
        WriteEntry(xml, kind, name, values);
        xml.WriteEndElement();
        xml.WriteEndElement();
    }

    private static void WriteEntry(XmlWriter xml, string kind, string? name, IReadOnlyList<(string, string)> values)
    {
        xml.WriteStartElement(kind);
        if (name is not null)
            Write(xml, "Name", name);
        foreach ((string part, string value) in values)
            Write(xml, part, value);
        xml.WriteEndElement();
    }

    private static void WriteNested(XmlWriter xml, string list, string entry, IEnumerable<string> values)
    {
        xml.WriteStartElement(list);
        foreach (string value in values)
            Write(xml, entry, value);
        xml.WriteEndElement();
    }

    private static void Write(XmlWriter xml, string part, string value)
    {
        xml.WriteStartElement(part);
        xml.WriteAttributeString("value", value);
        xml.WriteEndElement();
    }

    private static (string, string)[] Dispatch() =>
        [("MaxDispatchCountApiThread", Number(MaxDispatch)), ("MaxDispatchCountUserThread", Number(MaxDispatch))];

    // These settings have no options in the message API's editions.
    private static (string, string)[] Buffers(RoleArguments given) =>
        [("GuaranteedOutputBuffers", given.ValueOf("-outputBufs") ?? "5000"), ("NumInputBuffers", given.ValueOf("-inputBufs") ?? "2048")];

    private static string Number(int value) => value.ToString(CultureInfo.InvariantCulture);
}
