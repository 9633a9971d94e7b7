using System.Globalization;
using PerfCommon.Transport;
using PerfTools.Processes;

namespace PerfTools.Editions;

/// <summary>Translates the arguments of our tools into the options of another edition, or explains why that is impossible.</summary>
internal sealed class EditionArguments
{
    private const string AnyProcessor = "-1";
    private const string Port = "-p", Host = "-h", Threads = "-threads", Processor = "-bindThread";
    private const string Connection = "-connType", ProviderConnection = "-c", Compression = "-compressionType";
    private const string OutputCount = "-outputBufs", InputCount = "-inputBufs";
    private const string Authority = "-castore", Packing = "-maxPackCount";
    private const string Consumer = "ConsPerf", Provider = "ProvPerf", Publisher = "NIProvPerf", Transport = "TransportPerf";

    // Requests per second that a throttling provider was seen to answer completely.
    private const int PatientRequestRate = 2_000;

    // Milliseconds of steady state that consumers exclude, as ours do; the defaults differ between editions.
    private const int SteadyDelay = 1_000;

    // Options that only our tools have and whose absence changes nothing.
    private static readonly string[] Dropped = ["-jsonFile", "-hlogFile", "-if", "-control"];

    // Options that only our tools have and whose absence matters, with the options of perftools that need them.
    private static readonly (string Option, string Asked)[] Missed =
    [
        ("-rateProfile", "--steps and --ramp"), ("-stamp", "--stamp"), ("-rtt", "--rtt"), ("-websocket", "--connection websocket"), ("-prime", "-prime"),
    ];

    private static readonly string[] Inputs = ["-itemFile", "-msgFile"];
    private static readonly string[] Played = [Consumer, Provider, Publisher, Transport];

    private readonly EditionRequest _request;
    private readonly EditionFacts _facts;
    private readonly RoleArguments _given;
    private readonly List<string> _words = [];
    private string? _problem;

    private EditionArguments(EditionRequest request) =>
        (_request, _facts, _given) = (request, EditionFacts.Of(request.Edition), new RoleArguments(request.Arguments));

    private bool IsTransport => _request.Tool == Transport;

    /// <summary>Translates the arguments.</summary>
    /// <param name="request">The role and its arguments.</param>
    /// <param name="problem">What the edition cannot do, as a sentence that names the option; null when it can do all.</param>
    public static IReadOnlyList<string> Translate(EditionRequest request, out string? problem)
    {
        EditionArguments arguments = new(request);
        arguments.TranslateAll();
        problem = arguments._problem;
        return arguments._words;
    }

    private static string Text(int number) => number.ToString(CultureInfo.InvariantCulture);

    private static bool IsOption(string word) => word.Length > 1 && word[0] == '-' && !char.IsAsciiDigit(word[1]);

    private void TranslateAll()
    {
        if (!Played.Contains(_request.Tool) || (IsTransport && _facts.IsEma))
            Refuse($"{_facts.Title} has no {_request.Tool}");
        foreach ((string option, string asked) in Missed.Where(missed => _given.IsGiven(missed.Option)))
            Refuse($"{_facts.Title} knows no {asked}");
        IReadOnlyList<string> all = _request.Arguments;
        for (int i = 0; i < all.Count; i++)
        {
            string? value = i + 1 < all.Count && !IsOption(all[i + 1]) ? all[i + 1] : null;
            TranslateOption(all[i], value);
            i += value is null ? 0 : 1;
        }

        AddOwn();
    }

    private void TranslateOption(string option, string? value)
    {
        if (Dropped.Contains(option) || (_facts.IsEma && TranslateOfEma(option, value)))
            return;
        switch (option)
        {
            case Port when _request.ListenPort is { } port:
                Add(option, Text(port));
                break;
            case Threads:
                TranslateThreads(value ?? "1");
                break;
            case Processor:
                TranslateProcessors(value ?? "");
                break;
            case Connection:
                TranslateConnection(value ?? "");
                break;
            case Compression:
                TranslateCompression(value ?? "");
                break;
            case Authority when _request.Edition != Edition.C:
                Refuse($"{_facts.Title} has no option for trusted authorities (--connection encrypted)");
                break;
            default:
                Add(option, Inputs.Contains(option) && File.Exists(value) ? Path.GetFullPath(value) : value); // the program works in another folder
                break;
        }
    }

    // Options that EmaConfig.xml covers, and those that these editions lack; true when the option is handled.
    private bool TranslateOfEma(string option, string? value)
    {
        if (option == Packing && value != "1")
            Refuse($"{_facts.Title} packs no messages (--pack)");
        return option is Port or Host or Packing or Compression or OutputCount or InputCount;
    }

    private void TranslateThreads(string value)
    {
        if (value.Contains(',', StringComparison.Ordinal))
            TranslateProcessors(value);
        else if (_facts.ListsProcessors && int.TryParse(value, NumberStyles.None, CultureInfo.InvariantCulture, out int count))
            Add(Threads, string.Join(',', Enumerable.Repeat(AnyProcessor, count)));
        else
            Add(Threads, value);
    }

    private void TranslateProcessors(string value)
    {
        if (_facts.ListsProcessors)
            Add(Threads, value);
        else
            Refuse($"{_facts.Title} binds no threads to processors (--bind auto)");
    }

    private void TranslateConnection(string value)
    {
        if (_request.Edition != Edition.C)
            Refuse($"{_facts.Title} is not driven over encrypted connections: its certificates are no PEM files (--connection)");
        else
            Add(_request.Tool == Provider ? ProviderConnection : Connection, value);
    }

    // The consumer in C takes a number and reads a word as "none"; the transport tool takes the word in every edition.
    private void TranslateCompression(string value)
    {
        if (IsTransport)
            Add(Compression, value);
        else if (_request.Edition == Edition.C && Enum.TryParse(value, ignoreCase: true, out CompressionType kind))
            Add(Compression, Text((int)kind));
        else
            Refuse($"{_facts.Title} knows no compression (--compression)");
    }

    private void AddOwn()
    {
        if (_request.LatencyStem is { } stem && !_given.IsGiven("-latencyFile"))
            Add("-latencyFile", Path.Combine(_request.Folder, stem));
        if (_request.Tool == Consumer && !_given.IsGiven("-delaySteadyStateCalc"))
            Add("-delaySteadyStateCalc", Text(SteadyDelay)); // defaults are 0 here and 30 seconds there
        if (_request.Tool == Consumer && _request.Peer is { } peer && EditionFacts.Of(peer).HoldsRequestsBack && !_given.IsGiven("-requestRate"))
            Add("-requestRate", Text(PatientRequestRate));
    }

    private void Add(string option, string? value)
    {
        _words.Add(option);
        if (value is not null)
            _words.Add(value);
    }

    private void Refuse(string why) => _problem ??= $"{_request.Role}: {why}";
}
