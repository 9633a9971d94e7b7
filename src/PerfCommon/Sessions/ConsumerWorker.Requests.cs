using PerfCommon.Codec;
using PerfCommon.Domains;
using PerfCommon.Measurement;
using PerfCommon.MsgData;
using PerfCommon.Workers;

namespace PerfCommon.Sessions;

internal sealed partial class ConsumerWorker
{
    private void ServiceUp(long now)
    {
        if (Stage != ConsumerStage.Service)
            return;
        if (_plan.Dictionary is { } dictionary)
        {
            StartRequests(dictionary, now);
            return;
        }

        Enter(ConsumerStage.Dictionary, now);
        _download = new DictionaryConsumer(_directory.Service!.Id);
        Notices.Add("No dictionary files: downloading from the provider.");
        Send(_download.EncodeFieldRequest(_scratch));
        Send(_download.EncodeEnumRequest(_scratch));
    }

    private void UseFallbackDictionary(string why)
    {
        Notices.Add($"Warning: {why}; using the program's own dictionary, fields it lacks are skipped.");
        StartRequests(_plan.CreateFallbackDictionary(), Clock.NowNanos);
    }

    private void StartRequests(FieldDictionary dictionary, long now)
    {
        _decoder = new FieldListDecoder(dictionary.Types, StampFields.First, StampFields.Count);
        Notices.Add("Dictionary ready, requesting items...");
        Enter(ConsumerStage.Images, now);
        _schedule.Start(now);
        if (_images.Count == 0)
            ImagesComplete(now);
    }

    private void SendDueRequests(long now)
    {
        for (int ticks = 0; ticks < MaxTicksPerTurn && _requested < _images.Count && _schedule.TryTakeTick(now, out TickInfo tick); ticks++)
        {
            if (!_directory.IsReady)
                continue; // a service that went down pauses the requests
            SendLag.Record(tick.LagNanos / NanosPerMicro);
            if (FirstRequestNanos is null)
                Volatile.Write(ref _firstRequestNanos, now);
            SendRequests(_requestRate.InTick(tick.InSecond));
        }

        _channel?.Flush();
    }

    private void SendRequests(int count)
    {
        ServiceInfo service = _directory.Service!;
        for (; count > 0 && _requested < _images.Count; count--)
        {
            int item = _plan.Partition.ListIndexOf(_plan.Thread, _requested);
            ReadOnlySpan<byte> name = _plan.Items.NameOf(item);
            if (!_output!.TryBegin(MostRequestBytes(name.Length), out Span<byte> room))
                return; // no output buffer: go on with the next tick
            bool streams = !_plan.Snapshot && (_plan.Items.FlagsOf(item) & ItemFlags.Snapshot) == 0;
            int bytes = MarketPriceConsumer.EncodeRequest(room, StreamIds.FirstItem + _requested, service, name, streams);
            _output.End(bytes, MessageKind.Request);
            _requested++;
        }
    }

    private static int MostRequestBytes(int nameBytes)
    {
        const int MostHeaderBytes = 48; // fixed header, QoS and a key with service id
        return MostHeaderBytes + nameBytes;
    }

    private void NoteImage(int item)
    {
        if (!_images.TryNote(item))
            return;
        Counters.ItemsWithImage.Add(1);
        if (_images.Missing == 0 && Stage == ConsumerStage.Images)
            ImagesComplete(Clock.NowNanos);
    }

    private void ImagesComplete(long now)
    {
        BookUpdates(); // what came before belongs to the start-up
        Volatile.Write(ref _imagesCompleteNanos, now);
        _plan.ImageClock.Report(now);
        Enter(ConsumerStage.Steady, now);
    }
}
