using System.Xml.Linq;

namespace StandIn;

/// <summary>Translates an edition's options into ours.</summary>
internal static class OptionReader
{
    private const string ConfigFile = "EmaConfig.xml";

    // Of the guide, those that a run may use; of another edition nothing else is known.
    private static readonly HashSet<string> Known =
    [
        "-p", "-h", "-threads", "-statsFile", "-summaryFile", "-latencyFile", "-writeStatsInterval", "-steadyStateTime", "-delaySteadyStateCalc",
        "-itemCount", "-itemFile", "-msgFile", "-requestRate", "-serviceName", "-serviceId", "-tickRate", "-updateRate", "-latencyUpdateRate",
        "-refreshBurstSize", "-maxPackCount", "-runTime", "-postingRate", "-postingLatencyRate", "-genericMsgRate", "-genericMsgLatencyRate",
        "-appType", "-msgRate", "-latencyMsgRate", "-msgSize", "-pack", "-reflectMsgs", "-compressionType", "-connType", "-c", "-cert",
            "-keyfile", "-castore", "-snapshot",
    ];

    private static readonly string[] Switches = ["-reflectMsgs", "-snapshot"];

    /// <summary>Reads them.</summary>
    /// <returns>Ours; null for an option that the edition does not know.</returns>
    public static IReadOnlyList<string>? Read(Manner manner, string tool, string[] options, out string problem)
    {
        List<string> told = [];
        HashSet<string> given = [];
        problem = "";
        for (int i = 0; i < options.Length; i++)
        {
            string option = problem = options[i];
            bool isOfFile = option is "-p" or "-h" or "-maxPackCount" or "-compressionType";
            if (!Known.Contains(option) || !given.Add(option) || (manner.IsEma && isOfFile))
                return null;
            told.Add(option);
            if (Switches.Contains(option))
                continue;
            if (++i == options.Length)
                return null;
            if (option == "-threads" && options[i].Contains(',') != (manner.ListsProcessors && options[i] != "-1"))
                return null; // a list where it must be a number, or the other way round
            told.Add(option == "-threads" && manner.ListsProcessors ? $"{options[i].Split(',').Length}" : options[i]);
        }

        if (manner.IsEma)
            told.AddRange(ReadConfig(tool));
        return told;
    }

    private static IEnumerable<string> ReadConfig(string tool)
    {
        XElement root = XElement.Load(ConfigFile);
        string Value(string list, string name) => (string?)root.Descendants(list + "List").First().Element(list)!.Element(name)?.Attribute("value")
            ?? throw new InvalidDataException($"{ConfigFile}: no {list}/{name}");
        return tool == "ProvPerf"
            ? (string[])["-p", Value("Server", "Port")] : ["-h", Value("Channel", "Host"), "-p", Value("Channel", "Port")];
    }
}
